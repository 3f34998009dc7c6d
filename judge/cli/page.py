"""A report's page: prose, blocks and marked-off texts, each with its indent, on one console."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text as Styled

from judge.cli.consoles import is_unicode
from judge.cli.readable import fold, shorten, wrap
from judge.texts import Language, Text, visible

MORE = Text("… ({count} more lines)", "……（还有 {count} 行）")
MORE_OF_LINE = Text("… (shortened)", "……（已截短）")
MIN_WIDTH = 30


class Page:
    """Prints on `console` in one language. No text is ever read as markup."""

    def __init__(self, console: Console, language: Language) -> None:
        self.console, self.language = console, language

    def __getitem__(self, text: Text) -> str:
        return text[self.language]

    @property
    def width(self) -> int:
        return max(MIN_WIDTH, self.console.width)

    @property
    def unicode(self) -> bool:
        return is_unicode(self.console)

    def row(self, *parts: tuple[str, str]) -> None:
        """One line of (text, style) parts, never wrapped."""
        line = Styled.assemble(*((visible(text), style) for text, style in parts))
        line.rstrip()
        self.console.print(line, soft_wrap=True)

    def blank(self) -> None:
        self.console.print()

    def prose(
        self, text: str, indent: int = 0, style: str = "", first: str = "", rest: str = ""
    ) -> None:
        """Wrapped text. `first` and `rest` stand before the first line and before the others."""
        width = max(MIN_WIDTH, self.console.width - indent - max(len(first), len(rest)))
        for number, line in enumerate(wrap(visible(text), width)):
            lead = " " * indent + (rest if number else first)
            self.row((lead, ""), (line, style))

    def block(
        self, text: str, indent: int, lines: int, characters: int = 4000, style: str = ""
    ) -> None:
        """Code, values or output: shortened, every space kept."""
        kept, missing = shorten(text, lines, characters)
        width = max(MIN_WIDTH, self.console.width - indent)
        for line in fold(visible(kept), width):
            self.row((" " * indent, ""), (line, style))
        if missing:
            more = MORE if missing > 1 else MORE_OF_LINE
            self.row((" " * indent + more[self.language].format(count=missing), "dim"))

    def set_apart(self, text: str, title: str, indent: int) -> None:
        """A text with a bar at its side."""
        bar = "┃ " if self.unicode else "| "
        self.row((" " * indent + bar, "cyan"), (title, "bold cyan"))
        self.prose(text, indent, first=bar, rest=bar)
