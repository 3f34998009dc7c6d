"""Numbers that stand for something to wait on. Only this page's selector knows them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

_FIRST = 100_000  # far above the file descriptors of Pyodide's file system

_numbers = itertools.count(_FIRST)
_open: dict[int, Descriptor] = {}


class Descriptor:
    """Readable while it is lit."""

    def __init__(self) -> None:
        self.number = next(_numbers)
        self.lit = False
        self.watchers: list[Callable[[], None]] = []  # called when it is lit
        _open[self.number] = self

    def light(self) -> None:
        if not self.lit:
            self.lit = True
            for watcher in list(self.watchers):
                watcher()

    def quench(self) -> None:
        self.lit = False

    def close(self) -> None:
        self.lit = False
        _open.pop(self.number, None)


def find(number: int) -> Descriptor | None:
    return _open.get(number)


def forget() -> None:
    """Close all."""
    _open.clear()
