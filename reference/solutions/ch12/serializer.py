"""Messages as plain data: dataclasses and tensors to dicts of primitives, and back."""

from __future__ import annotations

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
    """Turn `obj` into primitives, lists and dicts.

    TypeError for a type that cannot be sent, ValueError for a tensor that is not 1-D.
    """
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

    ValueError for a type or a dtype that is not known.
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
    if tensor.dim() != 1:
        raise ValueError(f"only 1-D tensors can be sent, this one has shape {list(tensor.shape)}")
    dtype = str(tensor.dtype)
    if dtype not in _DTYPES:
        raise TypeError(f"a tensor of {dtype} cannot be sent")
    # numpy copies value by value, so a view gives its own values and not its whole memory.
    return {_TYPE: "Tensor", "buffer": tensor.detach().numpy().tobytes(), "dtype": dtype}


def _deserialize_tensor(data: dict[str, Any]) -> torch.Tensor:
    if data["dtype"] not in _DTYPES:
        raise ValueError(f"unknown dtype {data['dtype']!r}")
    dtype = _DTYPES[data["dtype"]]
    if not data["buffer"]:  # which frombuffer refuses
        return torch.empty(0, dtype=dtype)
    # A bytearray is a copy that may be written to; the bytes themselves are read-only.
    return torch.frombuffer(bytearray(data["buffer"]), dtype=dtype)
