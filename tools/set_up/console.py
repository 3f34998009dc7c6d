"""What the set-up says: to standard error, in the learner's language.

Never to standard output: `--format json` prints JSON there.
"""

from __future__ import annotations

import os
import re
import sys


class SetUpError(Exception):
    """The set-up cannot go on. Holds the reason in English and in Chinese."""


def say(english: str, chinese: str) -> None:
    """Print a sentence in the learner's language to standard error."""
    if sys.stderr is not None:  # print() would take None for standard output
        print(chinese if speaks_chinese() else english, file=sys.stderr, flush=True)


def speaks_chinese() -> bool:
    """Whether `--lang`, or else the locale, asks for Chinese."""
    arguments = " ".join(sys.argv).replace("--lang=", "--lang ")
    asked = re.search(r"--lang (\w+)", arguments)
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    settings = [os.environ[name] for name in names if os.environ.get(name)]
    return (asked.group(1) if asked else "".join(settings[:1])).startswith("zh")


def on_terminal() -> bool:
    """Whether somebody watches standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


def quote(lines: list[str]) -> str:
    """The last lines of another program, marked as its own words."""
    return "\n".join(f"  | {line}" for line in lines[-10:])
