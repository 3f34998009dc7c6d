"""Messages as plain data, with tensors of any shape."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import torch

_TYPE = "__type__"
_DTYPES = {
    str(dtype): dtype
    for dtype in (
        torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
        torch.float16, torch.float32, torch.float64,
    )
}  # fmt: skip


def serialize_type(obj: Any) -> Any:
    """Turn `obj` into primitives, lists and dicts. TypeError for a type that cannot be sent."""
    if obj is None or isinstance(obj, (bool, int, float, str, bytes)):
        return obj
    if isinstance(obj, (list, tuple)):
        return [serialize_type(item) for item in obj]
    if isinstance(obj, dict):
        return {key: serialize_type(value) for key, value in obj.items()}
    if isinstance(obj, torch.Tensor):
        return _serialize_tensor(obj)
    if is_dataclass(obj) and not isinstance(obj, type):
        values = {field.name: serialize_type(getattr(obj, field.name)) for field in fields(obj)}
        return {_TYPE: type(obj).__name__, **values}
    raise TypeError(f"a value of type {type(obj).__name__} cannot be sent")


def deserialize_type(cls_map: Mapping[str, type], data: Any) -> Any:
    """The reverse of `serialize_type`; `cls_map` maps a name to the dataclass it stands for.

    ValueError for an unknown type or dtype, and for a shape that does not fit its buffer.
    """
    if isinstance(data, list):
        return [deserialize_type(cls_map, item) for item in data]
    if not isinstance(data, dict):
        return data
    if data.get(_TYPE) == "Tensor":
        return _deserialize_tensor(data)
    values = {key: deserialize_type(cls_map, v) for key, v in data.items() if key != _TYPE}
    if _TYPE not in data:
        return values
    if data[_TYPE] not in cls_map:
        raise ValueError(f"unknown type {data[_TYPE]!r}")
    return cls_map[data[_TYPE]](**values)


def _serialize_tensor(tensor: torch.Tensor) -> dict[str, Any]:
    dtype = str(tensor.dtype)
    if dtype not in _DTYPES:
        raise TypeError(f"a tensor of {dtype} cannot be sent")
    # numpy writes the values row by row, however a view finds them in memory.
    buffer = tensor.detach().numpy().tobytes()
    return {_TYPE: "Tensor", "buffer": buffer, "dtype": dtype, "shape": list(tensor.shape)}


def _deserialize_tensor(data: dict[str, Any]) -> torch.Tensor:
    if data["dtype"] not in _DTYPES:
        raise ValueError(f"unknown dtype {data['dtype']!r}")
    buffer, dtype, shape = data["buffer"], _DTYPES[data["dtype"]], data["shape"]
    # Before any memory is taken. The product alone would let [-2, -3] pass for 6 values.
    if any(size < 0 for size in shape) or math.prod(shape) * dtype.itemsize != len(buffer):
        raise ValueError(f"{len(buffer)} bytes of {dtype} are no tensor of shape {shape}")
    if not buffer:  # which frombuffer refuses
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(buffer), dtype=dtype).reshape(shape)
