"""What the server and a grading worker tell each other: one line of JSON each, over a socket.

To the worker goes only "there is work", any byte at all; the end of the stream says "end yourself",
also when the server was killed. The settings come before, on the worker's standard input.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from web.site.settings import Settings

WORK = b"\n"


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The worker grades. `isolation` is what its verdicts say about the walls."""

    isolation: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The worker cannot grade here, and trying again would not help."""

    why: str


class Claimed(msgspec.Struct, frozen=True, tag="claimed"):
    """A submission is being graded now, so the queue has moved."""

    number: int


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """A result or the verdict of a submission has been written."""

    number: int


Message = Ready | Refused | Claimed | Changed


class Start(msgspec.Struct, frozen=True):
    """What a worker begins with. `name` stands in the rows that it claims."""

    name: str
    settings: Settings


def encode(message: Message | Start) -> bytes:
    return msgspec.json.encode(message, enc_hook=_to_text) + b"\n"


def decode(line: bytes) -> Message:
    """Raises `msgspec.MsgspecError` for a line that is none."""
    return msgspec.json.decode(line, type=Message)


def decode_start(line: bytes) -> Start:
    return msgspec.json.decode(line, type=Start, dec_hook=_from_text)


def _to_text(value: Any) -> str:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no JSON form here")


def _from_text(kind: type, value: Any) -> Any:
    if issubclass(kind, Path):
        return Path(value)
    raise NotImplementedError(f"{kind.__name__} has no JSON form here")
