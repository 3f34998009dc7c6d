"""Sentences a learner reads, always in both languages, and foreign text made fit to show. Holds no sentence
itself: each stands where it is said."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Text:
    """One text in English and Chinese. Neither may be empty: `catalog` refuses such an exercise."""

    en: str
    zh: str

    def __getitem__(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en

    def format(self, **values: object) -> Text:
        """Fill `{name}` placeholders in both languages."""
        return Text(self.en.format(**values), self.zh.format(**values))


def visible(text: str) -> str:
    """The text with control characters as escapes such as `\\x1b`; newlines and tabs stay.

    An escape sequence must not reach the terminal, nor a character that reorders what follows it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _shows(c) else c.encode("unicode_escape").decode() for c in text)


def _shows(character: str) -> bool:
    return character in "\n\t" or character.isprintable() or unicodedata.category(character) == "Zs"
