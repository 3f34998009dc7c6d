"""Messages as plain data, with tensors of any shape.

Begin with your solution of the exercise `serializer`: copy it here, then let it grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def serialize_type(obj: Any) -> Any:
    """Turn `obj` into primitives, lists and dicts. Tensors may have any shape."""
    raise NotImplementedError("serialize_type")


def deserialize_type(cls_map: Mapping[str, type], data: Any) -> Any:
    """The reverse of `serialize_type`. ValueError if a shape does not fit its buffer."""
    raise NotImplementedError("deserialize_type")
