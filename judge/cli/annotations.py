"""Problems as workflow commands of hosted CI, which shows them at their file and line."""

from __future__ import annotations

import os
from collections.abc import Mapping


def wanted(environment: Mapping[str, str] = os.environ) -> bool:
    return environment.get("GITHUB_ACTIONS") == "true"


def error(file: str, line: int, message: str) -> str:
    """`::error file=…,line=…::…`, one line whatever the values hold."""
    return f"::error file={_escape(file, ',:')},line={line}::{_escape(message)}"


def _escape(value: str, more: str = "") -> str:
    # The percent sign first, or the escapes themselves would be escaped.
    for character in "%\r\n" + more:
        value = value.replace(character, f"%{ord(character):02X}")
    return value
