"""Text that a learner's code made, fit to be read: not too long, wrapped. See also `visible`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len, chop_cells

from judge.texts import visible

TAB = 4
# Between two of these a line may be broken; no space stands there.
_WIDE = "\u2e80-\u303f\u3041-\u33ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60"
_OPENING, _CLOSING = "（《「『“‘【", "，。；：！？、）》」』”’】…"
_CODE = "`[^`]{1,80}`"
_PIECE = re.compile(
    rf"\s+|[{_OPENING}]*[{_WIDE}][{_CLOSING}]*|[{_OPENING}]*(?:{_CODE}|[^\s{_WIDE}])+[{_CLOSING}]*"
)


def shorten(text: str, lines: int, characters: int) -> tuple[str, int]:
    """The text's first lines and characters, and how many lines are left out (0: nothing is)."""
    text = text.rstrip()
    kept = text[:characters].rsplit("\n", 1)[0] if len(text) > characters else text
    kept = "\n".join(kept.split("\n")[:lines])[:characters]
    missing = text.count("\n") - kept.count("\n")
    return kept, missing if len(kept) == len(text) else max(missing, 1)


def wrap(text: str, width: int, *, cut: bool = True) -> list[str]:
    """Prose as lines of at most `width` cells, in English and in Chinese.

    A `code span` stays together. What is too long for a line is `cut`, or else sticks out.
    """
    return [line for raw in text.split("\n") for line in _wrap_line(raw, width, cut)]


def _wrap_line(raw: str, width: int, cut: bool) -> Iterator[str]:
    line = ""
    for piece in _PIECE.findall(raw):
        if line.strip() and cell_len(line + piece.rstrip()) > width:
            yield line.rstrip()
            line, piece = "", piece.lstrip()
        line += piece
        if cut and cell_len(line.rstrip()) > width:
            *full, line = chop_cells(line.rstrip(), width)
            yield from full
    yield line.rstrip()


def fold(text: str, width: int) -> list[str]:
    """Code and values as lines of at most `width` cells, every space kept."""
    lines = text.expandtabs(TAB).split("\n")
    return [part for line in lines for part in (chop_cells(line, width) or [""])]


def align_caret(text: str) -> str:
    """Put a caret in the last line under its character, whatever tabs and wide ones precede it."""
    *before, line, caret = ["", "", *text.split("\n")]
    if caret.strip() != "^" or not line:
        return text
    column = cell_len(visible(line[: caret.index("^")]).expandtabs(TAB))
    return "\n".join([*before[2:], line, " " * column + "^"])
