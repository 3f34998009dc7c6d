"""A compact format: values by position instead of by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pack(message: Any, classes: Sequence[type]) -> bytes:
    """Turn `message` into few bytes.

    `classes` are the dataclasses that may occur in it, in an order that both sides know. Raise
    TypeError, with the type's name, for a value that cannot be packed.
    """
    raise NotImplementedError


def unpack(data: bytes, classes: Sequence[type]) -> Any:
    """The message that `pack` turned into `data`.

    Raise ValueError if the sender's classes were not exactly these, or if `data` is damaged.
    """
    raise NotImplementedError
