"""Messages as plain data: dataclasses and tensors to dicts of primitives, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def serialize_type(obj: Any) -> Any:
    """Turn `obj` into primitives, lists and dicts, ready for msgpack."""
    raise NotImplementedError("serialize_type")


def deserialize_type(cls_map: Mapping[str, type], data: Any) -> Any:
    """The reverse of `serialize_type`. `cls_map` maps a class name to its class."""
    raise NotImplementedError("deserialize_type")
