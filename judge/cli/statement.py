"""An exercise's statement on a page: prose is wrapped, code and tables stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len

from judge.cli.page import MORE, Page
from judge.cli.readable import wrap
from judge.texts import visible

FENCE = "```"
FIRST_LINES = 8
_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)?\s+(?=\S)|\s*")
_BEGINS = re.compile(r"#|>|\s*(?:[-*+]|\d+\.)\s")
_MARKED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


def show(page: Page, text: str) -> None:
    """All of it."""
    _show(page, text.rstrip("\n").split("\n"))


def show_beginning(page: Page, text: str) -> None:
    """Its first lines, with the code block or table in which they end."""
    lines = text.rstrip("\n").split("\n")
    kinds = list(_kinds(lines))
    end = min(FIRST_LINES, len(lines))
    while 0 < end < len(lines) and kinds[end] == kinds[end - 1] != "prose":
        end += 1
    _show(page, lines[:end])
    if end < len(lines):
        page.row((page[MORE].format(count=len(lines) - end), "dim"))


def _kinds(lines: list[str]) -> Iterator[str]:
    """What each line is: prose, a table's, or code, fences included."""
    inside = False
    for line in lines:
        fence = line.lstrip().startswith(FENCE)
        yield "code" if inside or fence else "table" if line.lstrip()[:1] == "|" else "prose"
        inside ^= fence


def _show(page: Page, lines: list[str]) -> None:
    rendered = page.console.is_terminal
    for line, kind in _joined(page, [visible(line) for line in lines]):
        if kind == "code":
            if not (rendered and line.lstrip().startswith(FENCE)):
                page.row((line, "cyan"))
        elif kind == "table":
            page.row(*_parts(line, "", rendered))
        else:
            _prose(page, line, rendered)


def _joined(page: Page, lines: list[str]) -> Iterator[tuple[str, str]]:
    """The lines with their kinds; a paragraph that is too wide as it was broken is one line."""
    paragraph: list[str] = []
    for line, kind in [*zip(lines, _kinds(lines), strict=True), ("", "end")]:
        continues = kind == "prose" and line.strip() and not _BEGINS.match(line)
        if paragraph and not continues:
            wide = any(cell_len(part) > page.width for part in paragraph)
            joined = [" ".join([paragraph[0], *(part.lstrip() for part in paragraph[1:])])]
            yield from ((part, "prose") for part in (joined if wide else paragraph))
            paragraph = []
        if kind == "prose" and line.strip() and not line.startswith("#"):
            paragraph.append(line)
        elif kind != "end":
            yield line, kind


def _prose(page: Page, line: str, rendered: bool) -> None:
    """A line of the source is a paragraph, a heading or an item; an item's text hangs."""
    heading = line.startswith("#")
    if heading and rendered:
        line = line.lstrip("#").lstrip()
    found = _ITEM.match(line)
    lead = found[0] if found else ""
    for number, part in enumerate(wrap(line[len(lead) :], page.width - len(lead), cut=False)):
        parts = _parts(part, "bold" if heading else "", rendered)
        page.row((" " * len(lead) if number else lead, ""), *parts)


def _parts(line: str, style: str, rendered: bool) -> list[tuple[str, str]]:
    """The line's pieces with their styles; where it is `rendered`, without the marks."""
    if not rendered:
        return [(line, style)]
    parts, at = [], 0
    for found in _MARKED.finditer(line):
        parts.append((line[at : found.start()], style))
        parts.append((found[1], "cyan") if found[1] else (found[2], "bold"))
        at = found.end()
    return [*parts, (line[at:], style)]
