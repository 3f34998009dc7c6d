"""Messages as plain data, with tensors of every dtype."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import torch

_TYPE = "__type__"
_PRIMITIVES = (type(None), bool, int, float, str, bytes)
# By name, because not every torch has every dtype.
_NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bfloat16", "float16", "float32", "float64", "float8_e4m3fn", "float8_e4m3fnuz",
    "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "complex32", "complex64", "complex128",
)  # fmt: skip
_DTYPES = {f"torch.{name}": getattr(torch, name) for name in _NAMES if hasattr(torch, name)}


def serialize_type(obj: Any) -> Any:
    """Turn `obj` into primitives, lists and dicts. TypeError for a type that cannot be sent."""
    if isinstance(obj, _PRIMITIVES):
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
    values = {key: deserialize_type(cls_map, value) for key, value in data.items()}
    if _TYPE not in data:
        return values
    name = values.pop(_TYPE)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    return cls_map[name](**values)


def _serialize_tensor(tensor: torch.Tensor) -> dict[str, Any]:
    dtype = str(tensor.dtype)
    if dtype not in _DTYPES or tensor.layout != torch.strided:
        raise TypeError(f"a tensor of {dtype} and {tensor.layout} cannot be sent")
    # `clone` applies what a conjugated or negated view has only noted, and gives every copy plain
    # strides; `contiguous()` would keep the odd stride of a single value, which `view` refuses.
    values = tensor.detach().clone(memory_format=torch.contiguous_format).reshape(-1)
    # Seen as bytes, because numpy has no bfloat16 and no float8. A tensor on another device than the CPU
    # is refused here by torch, with a TypeError.
    buffer = values.view(torch.uint8).numpy().tobytes()
    return {_TYPE: "Tensor", "buffer": buffer, "dtype": dtype, "shape": list(tensor.shape)}


def _deserialize_tensor(data: dict[str, Any]) -> torch.Tensor:
    if data["dtype"] not in _DTYPES:
        raise ValueError(f"unknown dtype {data['dtype']!r}")
    buffer, dtype, shape = data["buffer"], _DTYPES[data["dtype"]], data["shape"]
    # Before any memory is taken. The product alone would let [-2, -3] pass for 6 values.
    if any(size < 0 for size in shape) or math.prod(shape) * dtype.itemsize != len(buffer):
        raise ValueError(f"{len(buffer)} bytes of {dtype} are no tensor of shape {shape}")
    # `torch.tensor` copies: a tensor on the message's own bytes must not be written to.
    return torch.tensor(np.frombuffer(buffer, np.uint8)).view(dtype).reshape(shape)
