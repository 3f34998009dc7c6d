"""The wall around the zygote, made by bubblewrap where it is installed and works."""

from __future__ import annotations

import functools
import os
import shutil
import site
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SYSTEM_FOLDERS = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime")
CODE_INSIDE = "/judge-code"
NOBODY = "65534"
PROBE_SECONDS = 10


@functools.cache
def problem() -> str | None:
    """Why bubblewrap cannot be used here, or None if it works. Tried once per process."""
    if sys.platform != "linux":
        return "bubblewrap exists on Linux only"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (package bubblewrap)"
    try:
        done = subprocess.run(
            [*wall(Path("/nonexistent")), "/usr/bin/env", "true"],
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    if done.returncode:
        return f"bubblewrap is refused here: {done.stderr.strip()}"
    return None


def python_folders() -> list[Path]:
    """What Python and its packages need to be readable, without the project's own folders."""
    found = {Path(p) for p in (sys.base_prefix, sys.base_exec_prefix, sys.prefix)}
    # Python itself may find its way through links, so both names must be there.
    found |= {path.resolve() for path in found}
    # A virtual environment's interpreter is a link, perhaps to a link: each stop must be there.
    found |= {Path(p).parent for p in _links(Path(sys.executable))}
    for entry in (*site.getsitepackages(), *(p for p in sys.path if "site-packages" in p)):
        if Path(entry).is_dir():
            found.add(Path(entry))
    return sorted(p for p in found if p.is_dir() and p not in (PROJECT, Path("/")))


def readable_folders(code: str) -> list[str]:
    """Everything that an examinee may read: the system's libraries, Python, the judge's own code."""
    shared = [Path(f) for f in (*SYSTEM_FOLDERS, *SYSTEM_FILES) if os.path.exists(f)]
    shared += python_folders()
    parts = [part for folder in shared for part in _without_project(folder)]
    return [*map(str, parts), f"{code}/judge"]


def _without_project(folder: Path) -> list[Path]:
    """The folder; or where the checkout lies in it, all in it but that: Landlock can only grant."""
    if not PROJECT.is_relative_to(folder.resolve()):
        return [folder]
    if folder.resolve() == PROJECT:
        return []
    inside = [child for child in sorted(folder.iterdir()) if not child.is_symlink()]
    return [part for child in inside for part in _without_project(child)]


def _links(path: Path) -> list[Path]:
    stops = [path]
    while path.is_symlink() and len(stops) < 20:
        path = Path(os.path.normpath(path.parent / os.readlink(path)))
        stops.append(path)
    return stops


def wall(queues: Path) -> list[str]:
    """The `bwrap …` prefix: own namespaces, no network, no capabilities, a read-only minimal root."""
    # Not --die-with-parent: the kernel means the parent's thread, and a grading's thread may end
    # long before the judge does. The zygote ends when its connection closes.
    command = ["bwrap", "--unshare-all", "--new-session", "--clearenv"]
    command += ["--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL", "--hostname", "examinee"]
    for folder in SYSTEM_FOLDERS:
        if os.path.islink(folder):
            command += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            command += ["--ro-bind", folder, folder]
    for file in SYSTEM_FILES:
        command += ["--ro-bind-try", file, file]
    # The zygote needs /proc to make namespaces; each examinee covers it and gets its own scratch.
    command += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--dir", "/scratch"]
    folders = python_folders()
    for folder in folders:
        command += ["--ro-bind", str(folder), str(folder)]
    if any(PROJECT.is_relative_to(f) for f in (*map(Path, SYSTEM_FOLDERS), *folders)):
        # The checkout lies inside a folder that is shown: cover it, and show its packages again.
        command += ["--tmpfs", str(PROJECT)]
        for folder in folders:
            if folder.is_relative_to(PROJECT):
                command += ["--ro-bind", str(folder), str(folder)]
    command += ["--ro-bind", str(PROJECT / "judge"), f"{CODE_INSIDE}/judge"]
    if queues.exists():
        examiner, learner = queues / "bound-by-examiner", queues / "bound-by-learner"
        command += ["--ro-bind", str(examiner), str(examiner), "--bind", str(learner), str(learner)]
    return command
