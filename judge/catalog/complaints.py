"""What an author is told: where something is wrong, what, and how to mend it.

Complaints are collected, never raised one by one, so that an author with five mistakes needs one
run to see them and not five.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

import msgspec


class Complaint(msgspec.Struct, frozen=True):
    """One mistake. `file` is relative to the project's root; `line` counts from 1, None if unknown.

    `key` is the dotted key of a TOML value (`hints.0.zh`) or a test function's name; it is empty
    where the complaint is about the file as a whole.
    """

    file: str
    line: int | None
    key: str
    problem: str
    mend: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(filter(None, (place, self.key, self.problem))) + f" — {self.mend}"


class CatalogError(Exception):
    """The exercises on disk cannot be used. Holds every complaint, ordered by file and line."""

    def __init__(self, complaints: Iterable[Complaint]) -> None:
        self.complaints = tuple(complaints)
        super().__init__(self.complaints)

    def __str__(self) -> str:
        return "\n".join(str(complaint) for complaint in self.complaints)


class Complaints:
    """Collects the complaints of one load."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found: list[Complaint] = []

    def add(
        self, path: Path, problem: str, mend: str, *, key: str = "", line: int | None = None
    ) -> None:
        file = path.relative_to(self._root).as_posix()
        # A name that is not UTF-8 reaches Python with surrogates, which no terminal could print.
        file = file.encode("utf-8", "backslashreplace").decode("utf-8")
        self._found.append(Complaint(file, line, key, problem, mend))

    def raise_if_any(self) -> None:
        if self._found:
            raise CatalogError(sorted(self._found, key=lambda c: (c.file, c.line or 0, c.key)))


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was probably meant to be."""
    matches = difflib.get_close_matches(name, sorted(known), n=1)
    return matches[0] if matches else None


def or_closest(name: str, known: Iterable[str], otherwise: str) -> str:
    """A mend: the probable correction of a misspelt name, else `otherwise`."""
    match = closest(name, known)
    return f"did you mean {match}?" if match else otherwise
