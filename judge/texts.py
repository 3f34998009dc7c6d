"""Sentences a learner reads, always in both languages. Holds no sentence itself: each stands where it is said."""

from __future__ import annotations

from typing import Literal

import msgspec

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text in English and Chinese. Neither may be empty: `catalog` refuses such an exercise."""

    en: str
    zh: str

    def __getitem__(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en

    def format(self, **values: object) -> Text:
        """Fill `{name}` placeholders in both languages."""
        return Text(self.en.format(**values), self.zh.format(**values))
