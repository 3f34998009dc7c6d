"""One set-up at a time in this checkout."""

from __future__ import annotations

import contextlib
import os
from typing import Iterator  # noqa: UP035 - Python 3.8 reads this file

from .console import say
from .places import NOTES


@contextlib.contextmanager
def lock() -> Iterator[tuple[bool, int]]:
    """One set-up at a time in this checkout. Yields whether it had to wait, and the descriptor."""
    import fcntl

    os.makedirs(NOTES, exist_ok=True)
    with open(os.path.join(NOTES, "lock"), "w") as file:
        waited = False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = True
            say("set-up: another start is at it; waiting", "准备：另一个进程正在准备，等待中")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield waited, file.fileno()
