"""Messages as plain data, with tensors of every dtype.

Begin with your solution of the exercise `nd-tensor`: copy it here, then let it grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def serialize_type(obj: Any) -> Any:
    """Turn `obj` into primitives, lists and dicts. Tensors may have any dtype and any shape.

    TypeError for a tensor that has no plain memory on the CPU.
    """
    raise NotImplementedError("serialize_type")


def deserialize_type(cls_map: Mapping[str, type], data: Any) -> Any:
    """The reverse of `serialize_type`. A tensor's memory belongs to it alone.

    ValueError if a shape does not fit its buffer.
    """
    raise NotImplementedError("deserialize_type")
