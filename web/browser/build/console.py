"""What the build says while it works: to standard error, in the learner's language, and only if it works."""

from __future__ import annotations

import os
import sys
from typing import Literal

Language = Literal["en", "zh"]


def language_of_environment() -> Language:
    """Chinese where the first locale variable that is set says so, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    chosen = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return "zh" if chosen.lower().startswith("zh") else "en"


class Console:
    """Says sentences, and how far a download is. Holds the language; keeps nothing else."""

    def __init__(self, language: Language | None = None) -> None:
        self.language: Language = language or language_of_environment()

    @property
    def on_terminal(self) -> bool:
        return sys.stderr is not None and sys.stderr.isatty()

    def say(self, english: str, chinese: str) -> None:
        if sys.stderr is not None:
            text = chinese if self.language == "zh" else english
            print(text, file=sys.stderr, flush=True)

    def show_progress(self, done: int, total: int) -> None:
        """Bytes of a download so far. Redrawn in place, so only on a terminal."""
        if self.on_terminal:
            end = "\n" if done >= total else ""
            line = f"\r    {readable(done)} / {readable(total)} ({done * 100 // total} %)"
            print(line, end=end, file=sys.stderr, flush=True)


def readable(size: int) -> str:
    """A number of bytes for people: `3061133` is `3.1 MB`, `7552` is `8 kB`."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
