"""Messages from bytes that cannot be trusted.

Begin with your solution of the exercise `every-dtype`: copy it here, then let it grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def encode(message: Any) -> bytes:
    """The bytes of a message: its dict of primitives, lists and dicts, packed with msgpack.

    A user's dict that contains the key `"__type__"` is marked, so that it stays a dict.
    """
    raise NotImplementedError("encode")


def decode(cls_map: Mapping[str, Any], raw: bytes) -> Any:
    """The message in `raw`, an object of a dataclass in `cls_map`.

    ValueError, with a text of at most 1,000 characters, for everything else; no other exception.
    """
    raise NotImplementedError("decode")
