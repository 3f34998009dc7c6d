"""Consoles that print what they are given: no markup, no ANSI where nobody can see it, no crash."""

from __future__ import annotations

import contextlib
import io
import os
from typing import TextIO

from rich.console import Console

WIDTH_ELSEWHERE = 100


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to `main` how the program ends when nobody reads any more."""
        raise


def open_console(stream: TextIO | None) -> Console:
    """A console on a standard stream. Styles are for terminals only, and not with NO_COLOR."""
    if stream is None:  # closed by whoever started us
        stream = io.StringIO()
    with contextlib.suppress(AttributeError, ValueError):
        # A terminal that knows no Chinese gets escapes; it must never get a traceback.
        stream.reconfigure(errors="backslashreplace")
    terminal = stream.isatty()
    plain = not terminal or bool(os.environ.get("NO_COLOR"))
    return _Console(
        file=stream,
        force_terminal=terminal,
        color_system=None if plain else "auto",
        width=None if terminal else WIDTH_ELSEWHERE,
        markup=False,
        highlight=False,
        emoji=False,
    )


def text_console() -> Console:
    """A console that only collects: `console.file.getvalue()` is the text."""
    return open_console(io.StringIO())


def is_unicode(console: Console) -> bool:
    """Whether symbols beyond ASCII can be shown."""
    return console.encoding.lower().replace("-", "").startswith("utf")
