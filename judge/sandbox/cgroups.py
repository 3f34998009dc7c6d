"""Control groups: a bound on an examinee's memory and threads that the kernel counts for all of it.

Works with both layouts of the file system, and only where this process may make groups beside itself.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

MOUNT = Path("/sys/fs/cgroup")
CONTROLLERS = ("memory", "pids")
MAX_TASKS = 128
# Page tables, socket buffers and the copies of the zygote's pages are counted, too.
ALLOWANCE_BYTES = 96 * 1024 * 1024


@dataclass(frozen=True)
class Group:
    """One examinee's group: a folder per controller, or one for all."""

    folders: tuple[Path, ...]

    def open_members(self) -> list[int]:
        """Descriptors through which the examinee puts itself into the group; the caller closes them."""
        return [
            os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC) for folder in self.folders
        ]

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has ended a process of the group for want of memory."""
        for name in ("memory.events", "memory.oom_control"):
            with contextlib.suppress(OSError):
                for line in (self.folders[0] / name).read_text().splitlines():
                    key, _, value = line.partition(" ")
                    if key == "oom_kill":
                        return int(value) > 0
        return False

    def remove(self) -> bool:
        """Remove the group; False if something in it still lives."""
        for folder in self.folders:
            with contextlib.suppress(FileNotFoundError):
                try:
                    folder.rmdir()
                except OSError:
                    return False
        return True


class Cgroups:
    """A parent group of this judge's own. Raises `OSError` where it cannot be made."""

    def __init__(self, mount: Path = MOUNT) -> None:
        self._unified = (mount / "cgroup.controllers").exists()
        name = f"practice-judge-{os.getpid()}-{os.urandom(3).hex()}"
        if self._unified:
            parent = mount / _own_path("").lstrip("/")
            _enable(parent)
            self.folders = (parent / name,)
        else:
            self.folders = tuple(
                mount / controller / _own_path(controller).lstrip("/") / name
                for controller in CONTROLLERS
            )
        made = []
        try:
            for folder in self.folders:
                folder.mkdir()
                made.append(folder)
            if self._unified:
                _enable(self.folders[0])
            self.group("probe", memory_bytes=ALLOWANCE_BYTES).remove()
        except OSError:
            for folder in made:
                with contextlib.suppress(OSError):
                    folder.rmdir()
            raise

    def group(self, name: str, *, memory_bytes: int) -> Group:
        """A new group with its limits set. Raises `OSError`."""
        folders = tuple(folder / name for folder in self.folders)
        for folder in folders:
            folder.mkdir()
        total = str(memory_bytes + ALLOWANCE_BYTES)
        memory, pids = folders[0], folders[-1]
        if self._unified:
            (memory / "memory.max").write_text(total)
            with contextlib.suppress(OSError):
                (memory / "memory.swap.max").write_text("0")
        else:
            (memory / "memory.limit_in_bytes").write_text(total)
            with contextlib.suppress(OSError):
                (memory / "memory.memsw.limit_in_bytes").write_text(total)
        (pids / "pids.max").write_text(str(MAX_TASKS))
        return Group(folders)

    def close(self) -> None:
        remove_all(self.folders)


def remove_all(folders: tuple[Path, ...] | list[Path]) -> None:
    """Remove these groups and those in them; groups with living members stay."""
    for folder in folders:
        with contextlib.suppress(OSError):
            for child in [c for c in folder.iterdir() if c.is_dir()]:
                with contextlib.suppress(OSError):
                    child.rmdir()
            folder.rmdir()


def _own_path(controller: str) -> str:
    """This process's group for a controller (`""`: of the unified layout)."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return path
    return "/"


def _enable(folder: Path) -> None:
    """Have the folder's children count memory and tasks."""
    control = folder / "cgroup.subtree_control"
    if not set(CONTROLLERS) <= set(control.read_text().split()):
        control.write_text(" ".join(f"+{name}" for name in CONTROLLERS))
