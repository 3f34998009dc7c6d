"""Sentences a learner reads, always in both languages. Holds no sentence itself: each stands where it is said."""

from __future__ import annotations

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
