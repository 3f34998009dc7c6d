"""What the folder of a build holds: all parts, Pyodide's lock file, and the manifest."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

from pyodide_lock import PackageSpec, PyodideLockSpec

from .archives import write_gzip
from .making import CORE, Parts
from .plan import MANIFEST, Part, Plan
from .recipe import PYTHON, PublishedWheel

HOST = "host.mjs"  # what drives the runtime, beside Pyodide


def fill(plan: Plan, parts: Parts, folder: Path) -> None:
    """Put everything into an empty folder; the manifest comes last."""
    core = parts.path(plan.core_key)
    for path in core.iterdir():
        shutil.copyfile(path, folder / path.name)
    for part in plan.parts:
        for path in parts.path(part.key).iterdir():
            shutil.copyfile(path, folder / path.name)
    (folder / HOST).write_bytes(plan.host)
    write_gzip(folder / HOST)
    _write_lock(plan, folder)
    manifest = json.dumps(_manifest(plan, folder), indent=2, ensure_ascii=False)
    (folder / MANIFEST).write_text(manifest + "\n", encoding="utf-8")


def _write_lock(plan: Plan, folder: Path) -> None:
    """Pyodide's own lock file with our packages in place of its hundreds."""
    path = folder / "pyodide-lock.json"
    lock = PyodideLockSpec.from_json(path)
    lock.packages = {
        part.wheel.name: PackageSpec(
            name=part.wheel.name,
            version=part.wheel.version,
            file_name=part.file,
            install_dir="site",
            sha256=_sha256(folder / part.file),
            imports=_imports(folder / part.file),
            depends=list(part.wheel.depends),
        )
        for part in plan.parts
    }
    lock.check_wheel_filenames()
    lock.to_json(path)
    write_gzip(path)


def _imports(wheel: Path) -> list[str]:
    """The top-level names that a wheel makes importable."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist() if name.endswith((".pyc", ".so"))}
    return sorted(top.removesuffix(".pyc") for top in tops)


def _manifest(plan: Plan, folder: Path) -> dict[str, Any]:
    rows = [_core_row(plan, folder / name) for name in CORE]
    rows.append(_row(folder / HOST, "minisgl-page-host", "", "web/browser/runtime"))
    rows += [_part_row(part, folder) for part in plan.parts]
    return {
        "inputs": plan.inputs,
        "pyodide": plan.core.version,
        "python": PYTHON,
        "packages": [part.wheel.name for part in plan.parts],
        "contents": rows,
    }


def _core_row(plan: Plan, path: Path) -> dict[str, Any]:
    return _row(path, plan.core.name, plan.core.version, plan.core.sources[0].origin)


def _part_row(part: Part, folder: Path) -> dict[str, Any]:
    row = _row(folder / part.file, part.wheel.name, part.wheel.version, part.origin)
    if isinstance(part.wheel, PublishedWheel):
        row["origin_sha256"] = part.wheel.download.sha256
    return row


def _row(path: Path, name: str, version: str, origin: str) -> dict[str, Any]:
    """`gzip_size`: of the file with `.gz` beside it; null where there is none."""
    packed = path.with_name(path.name + ".gz")
    return {
        "file": path.name,
        "name": name,
        "version": version,
        "sha256": _sha256(path),
        "size": path.stat().st_size,
        "gzip_size": packed.stat().st_size if packed.exists() else None,
        "origin": origin,
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
