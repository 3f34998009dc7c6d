"""What a process uses, read from /proc: for what no limit of the kernel bounds where the judge runs."""

from __future__ import annotations

import contextlib
import os
import re


class Usage:
    """A look at a process's threads and memory, as often as wanted; zeros where that cannot be had."""

    def __init__(self, pid: int) -> None:
        self._status: int | None = None
        with contextlib.suppress(OSError, AttributeError):
            # Held open, the file stays this process's, even when its number is given to another.
            self._status = os.open(
                f"/proc/{_number_in_proc(pid)}/status", os.O_RDONLY | os.O_CLOEXEC
            )

    @property
    def threads(self) -> int:
        return self._number("Threads")

    @property
    def memory(self) -> int:
        """Bytes of its own, in memory or swapped out; not those of the files it has mapped."""
        return 1024 * sum(self._number(name) for name in ("RssAnon", "RssShmem", "VmSwap"))

    def _number(self, name: str) -> int:
        if self._status is None:
            return 0
        try:
            text = os.pread(self._status, 1 << 14, 0).decode("utf-8", "replace")
        except OSError:  # it has ended
            return 0
        found = re.search(rf"^{name}:\s*(\d+)", text, re.MULTILINE)
        return int(found[1]) if found else 0

    def close(self) -> None:
        if self._status is not None:
            os.close(self._status)
            self._status = None


def _number_in_proc(pid: int) -> int:
    """The number of a child in /proc, which may belong to a pid namespace above this process's own."""
    descriptor = os.pidfd_open(pid)
    try:
        with open(f"/proc/self/fdinfo/{descriptor}") as file:
            found = re.search(r"^Pid:\s*(\d+)", file.read(), re.MULTILINE)
    finally:
        os.close(descriptor)
    if found is None:
        raise OSError("this kernel does not tell")
    return int(found[1])
