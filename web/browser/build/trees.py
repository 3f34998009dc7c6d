"""A wheel's files laid out in a folder, before they are compiled and packed."""

from __future__ import annotations

import ast
import zipfile
from fnmatch import fnmatchcase
from pathlib import Path

from .recipe import WHEEL_TAG, OwnWheel, PublishedWheel


def lay_out(wheel: PublishedWheel | OwnWheel, archive: Path | None, folder: Path) -> None:
    """Write the files of a wheel into `folder`; `archive` is the download of a published one."""
    if isinstance(wheel, OwnWheel):
        _own(wheel, folder)
    else:
        assert archive is not None
        _published(wheel, archive, folder)


def _own(wheel: OwnWheel, folder: Path) -> None:
    for inside, content in wheel.files.items():
        (folder / inside).parent.mkdir(parents=True, exist_ok=True)
        (folder / inside).write_bytes(content)
    information = folder / _information(wheel)
    information.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {wheel.name}", f"Version: {wheel.version}"]
    lines += [f"Summary: {wheel.summary}", *(f"Requires-Dist: {name}" for name in wheel.depends)]
    (information / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (information / "WHEEL").write_text(_WHEEL, encoding="utf-8")


def _published(wheel: PublishedWheel, archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as source:
        kept = [entry for entry in source.infolist() if not _kept_out(entry.filename, wheel)]
        source.extractall(folder, members=kept)
    (information,) = folder.glob("*.dist-info")
    information = information.rename(folder / _information(wheel))
    (information / "RECORD").unlink(missing_ok=True)  # packing writes it anew
    metadata = information / "METADATA"
    text = metadata.read_text(encoding="utf-8").split("\n")
    named = next(number for number, line in enumerate(text) if line.startswith("Name: "))
    text[named] = f"Name: {wheel.name}"
    metadata.write_text("\n".join(text), encoding="utf-8")
    if not wheel.download.file.endswith("_wasm32.whl"):  # that one says what it was compiled for
        (information / "WHEEL").write_text(_WHEEL, encoding="utf-8")
    if wheel.opening is not None:
        first = folder / "zmq" / "__init__.py"
        opened = with_opening(first.read_text("utf-8"), wheel.opening.read_text("utf-8"))
        first.write_text(opened, encoding="utf-8")


_WHEEL = f"""\
Wheel-Version: 1.0
Generator: web.browser.build
Root-Is-Purelib: true
Tag: {WHEEL_TAG}
"""


def _kept_out(name: str, wheel: PublishedWheel) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in wheel.keep_out)


def _information(wheel: PublishedWheel | OwnWheel) -> str:
    return f"{wheel.name.replace('-', '_')}-{wheel.version}.dist-info"


def with_opening(module: str, opening: str) -> str:
    """A module's source with `opening` (docstring and statements) in place of its own docstring.

    The statements go behind the imports from `__future__`, which have to come first.
    """
    lines, own = module.splitlines(keepends=True), ast.parse(module).body
    words, statements = opening.splitlines(keepends=True), ast.parse(opening).body
    docstring_end, own_end = statements[0].end_lineno or 0, own[0].end_lineno or 0
    future = own_end
    for node in own:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            future = node.end_lineno or future
    parts = [words[:docstring_end], lines[own_end:future], words[docstring_end:], lines[future:]]
    return "".join(line for part in parts for line in part)
