"""The folder that everybody reads: written aside, complete, and then put in place at once.

`OUTPUT` is a symbolic link to a folder in `OUTPUT.builds`. A link can be replaced in one step, a folder
cannot; so whoever reads `OUTPUT` sees the old build or the new one, whatever interrupts the build. The
build before the newest one stays, for those who are still reading it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from .plan import MANIFEST, Plan


def is_current(output: Path, inputs: str) -> bool:
    """Whether `output` holds the build of these inputs, with every file there and of its size."""
    try:
        manifest = json.loads((output / MANIFEST).read_text(encoding="utf-8"))
        return manifest["inputs"] == inputs and all(
            (output / row["file"]).stat().st_size == row["size"] for row in manifest["contents"]
        )
    except (OSError, ValueError, KeyError):
        return False


def replace_folder(plan: Plan, output: Path, fill: Callable[[Path], None]) -> None:
    """Let `fill` fill a new folder and switch `output` to it. The caller holds the lock."""
    builds = output.with_name(output.name + ".builds")
    builds.mkdir(parents=True, exist_ok=True)
    for stale in builds.glob(".new-*"):  # of a build that was interrupted
        shutil.rmtree(stale)
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=builds))
    new.chmod(0o755)
    fill(new)
    target = builds / new.name.replace(".new", plan.inputs[:16])
    before = output.resolve() if output.is_symlink() else None
    new.rename(target)
    _switch(output, target)
    for build in builds.iterdir():
        if build not in (target, before):
            shutil.rmtree(build, ignore_errors=True)


def _switch(output: Path, target: Path) -> None:
    if output.is_dir() and not output.is_symlink():
        raise FileExistsError(f"{output} is a folder that this build did not make")
    link = output.with_name(f"{output.name}.new")
    link.unlink(missing_ok=True)
    link.symlink_to(target.relative_to(output.parent))
    os.replace(link, output)
