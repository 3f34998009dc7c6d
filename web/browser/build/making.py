"""Making what the plan names and the cache of parts does not hold yet."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
import zipfile
from pathlib import Path

from .archives import pack_wheel, pack_zip, write_gzip
from .bytecode import SITE_PACKAGES, STDLIB, compile_trees
from .console import Console
from .downloads import Downloads
from .plan import Part, Plan
from .recipe import Download, PublishedWheel
from .trees import lay_out

LIBRARY = "python_stdlib.zip"

# Pyodide's core: its loader, its two halves, Python's library, and the list of all its packages.
CORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", LIBRARY, "pyodide-lock.json")

WORK = "work-"  # how the names of folders begin in which a build works


class Parts:
    """The cache of finished parts: `FOLDER/<key>/`, complete or absent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: str) -> Path:
        return self._folder / key

    def has(self, key: str) -> bool:
        return self.path(key).is_dir()

    def add(self, key: str, made: Path) -> None:
        """Take a finished folder of the same file system."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if not self.has(key):
            os.rename(made, self.path(key))

    def keep_only(self, keys: set[str]) -> None:
        for entry in self._folder.iterdir():
            if entry.name not in keys:
                shutil.rmtree(entry, ignore_errors=True)


def make_missing(plan: Plan, parts: Parts, downloads: Downloads, console: Console) -> None:
    """Fetch, compile and pack every part that is not in the cache. Raises `BuildError`."""
    wanted = [part for part in plan.parts if not parts.has(part.key)]
    core = None if parts.has(plan.core_key) else plan.core
    if not wanted and core is None:
        return
    archives = _fetch(wanted, core, downloads)
    names = ", ".join([*(part.wheel.name for part in wanted), *["Python"] * (core is not None)])
    with tempfile.TemporaryDirectory(prefix=WORK, dir=parts.path("").parent) as scratch:
        work = Path(scratch)
        trees = {}
        for number, part in enumerate(wanted):
            sha256 = part.wheel.download.sha256 if isinstance(part.wheel, PublishedWheel) else ""
            lay_out(part.wheel, archives.get(sha256), work / str(number))
            trees[str(number)] = SITE_PACKAGES
        pyodide = parts.path(plan.core_key)
        if core is not None:
            pyodide = work / "core"
            _unpack_core(archives[core.sha256], pyodide)
            with zipfile.ZipFile(pyodide / LIBRARY) as archive:
                archive.extractall(work / "library")
            trees["library"] = STDLIB
        console.say(f"  compiling {names}", f"  正在编译 {names}")
        compile_trees(pyodide, work, trees)
        for number, part in enumerate(wanted):
            parts.add(part.key, _packed(work / str(number), part))
        if core is not None:
            pack_zip(work / "library", pyodide / LIBRARY)
            for name in CORE:
                write_gzip(pyodide / name)
            parts.add(plan.core_key, pyodide)


def _packed(tree: Path, part: Part) -> Path:
    """A folder with the wheel of a compiled tree."""
    folder = tree.with_name(f"{tree.name}.made")
    folder.mkdir()
    pack_wheel(tree, folder / part.file)
    write_gzip(folder / part.file)
    return folder


def _fetch(wanted: list[Part], core: Download | None, downloads: Downloads) -> dict[str, Path]:
    """sha256 to file of each download that is needed."""
    needed = [core] if core else []
    needed += [part.wheel.download for part in wanted if isinstance(part.wheel, PublishedWheel)]
    return downloads.fetch(needed)


def _unpack_core(archive: Path, folder: Path) -> None:
    folder.mkdir()
    with tarfile.open(archive) as package:
        for name in CORE:
            file = package.extractfile(f"package/{name}")
            assert file is not None  # the checksum says that it is there
            (folder / name).write_bytes(file.read())
