"""Messages from bytes that cannot be trusted: a message comes in, or a ValueError says why not."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import msgpack
import numpy as np
import torch

MAX_DEPTH = 100
MAX_DIMENSIONS = 64

_TYPE = "__type__"
_TENSOR = "Tensor"
# A user's dict that has the key "__type__" travels inside another one: {_TYPE: _DICT, "value": it}.
# So does one that looks like this, for it has that key as well.
_DICT = "dict"
_PRIMITIVES = (type(None), bool, int, float, str, bytes)
# By name, because not every torch has every dtype.
_NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bfloat16", "float16", "float32", "float64", "float8_e4m3fn", "float8_e4m3fnuz",
    "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "complex32", "complex64", "complex128",
)  # fmt: skip
_DTYPES = {f"torch.{name}": getattr(torch, name) for name in _NAMES if hasattr(torch, name)}


def encode(message: Any) -> bytes:
    """The bytes of a message. TypeError for a value of a type that cannot be sent."""
    return msgpack.packb(_serialize(message), use_bin_type=True)


def decode(cls_map: Mapping[str, Any], raw: bytes) -> Any:
    """The message in `raw`, an object of a dataclass in `cls_map`; ValueError for everything else."""
    try:
        data = msgpack.unpackb(raw, raw=False, strict_map_key=False)
    except (ValueError, TypeError) as error:  # TypeError: a key that cannot be hashed
        raise ValueError(f"{len(raw)} bytes are no msgpack message: {error}") from error
    message = _deserialize(cls_map, data, MAX_DEPTH)
    if not is_dataclass(message):
        raise ValueError(f"a {type(message).__name__} is no message")
    return message


def _serialize(obj: Any) -> Any:
    if isinstance(obj, _PRIMITIVES):
        return obj
    if isinstance(obj, (list, tuple)):
        return [_serialize(item) for item in obj]
    if isinstance(obj, dict):
        values = {key: _serialize(value) for key, value in obj.items()}
        return {_TYPE: _DICT, "value": values} if _TYPE in obj else values
    if isinstance(obj, torch.Tensor):
        return _serialize_tensor(obj)
    if is_dataclass(obj):
        values = {field.name: _serialize(getattr(obj, field.name)) for field in fields(obj)}
        return {_TYPE: type(obj).__name__, **values}
    raise TypeError(f"a value of type {type(obj).__name__} cannot be sent")


def _serialize_tensor(tensor: torch.Tensor) -> dict[str, Any]:
    values = tensor.detach().clone(memory_format=torch.contiguous_format).reshape(-1)
    buffer, shape = values.view(torch.uint8).numpy().tobytes(), list(tensor.shape)
    return {_TYPE: _TENSOR, "buffer": buffer, "dtype": str(tensor.dtype), "shape": shape}


def _deserialize(cls_map: Mapping[str, Any], data: Any, depth: int) -> Any:
    """`depth` is how many levels may still follow, this one included."""
    if not depth:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    if isinstance(data, list):
        return [_deserialize(cls_map, item, depth - 1) for item in data]
    if isinstance(data, dict):
        return _deserialize_dict(cls_map, data, depth)
    if not isinstance(data, _PRIMITIVES):
        raise ValueError(f"a {type(data).__name__} of msgpack is no part of a message")
    return data


def _deserialize_dict(cls_map: Mapping[str, Any], data: dict, depth: int) -> Any:
    if _TYPE not in data:
        return _values(cls_map, data, depth)
    parts = dict(data)
    name = parts.pop(_TYPE)
    if name == _TENSOR:
        return _deserialize_tensor(parts)
    if name == _DICT:
        if set(parts) != {"value"} or not isinstance(parts["value"], dict):
            raise ValueError("a marked dict has one entry, the dict itself")
        return _values(cls_map, parts["value"], depth)
    cls = cls_map.get(name) if isinstance(name, str) else None
    if not (isinstance(cls, type) and is_dataclass(cls)):
        raise ValueError(f"{reprlib.repr(name)} is no message type known here")
    _check_fields(cls, parts)
    return cls(**_values(cls_map, parts, depth))


def _values(cls_map: Mapping[str, Any], data: dict, depth: int) -> dict:
    for key in data:
        if not isinstance(key, _PRIMITIVES):
            raise ValueError(f"a {type(key).__name__} of msgpack cannot be a key")
    return {key: _deserialize(cls_map, value, depth - 1) for key, value in data.items()}


def _check_fields(cls: type, parts: dict) -> None:
    known = {field.name: field for field in fields(cls)}
    for key in parts:
        if key not in known:
            raise ValueError(f"{cls.__name__} has no field {reprlib.repr(key)}")
    for name, field in known.items():
        if name not in parts and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"the field {name} of {cls.__name__} is missing")


def _deserialize_tensor(parts: dict) -> torch.Tensor:
    if set(parts) != {"buffer", "dtype", "shape"}:
        raise ValueError("a tensor has a buffer, a dtype and a shape, nothing else")
    buffer, name, shape = parts["buffer"], parts["dtype"], parts["shape"]
    if not isinstance(name, str) or name not in _DTYPES:
        raise ValueError(f"{reprlib.repr(name)} is no dtype known here")
    dtype = _DTYPES[name]
    if not isinstance(buffer, bytes):
        raise ValueError(f"the buffer of a tensor is bytes, not {type(buffer).__name__}")
    # The limit keeps the product short: that of a million large sizes takes minutes to work out.
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS:
        raise ValueError(f"a shape is a list of at most {MAX_DIMENSIONS} sizes")
    # By `type`, because True is an int for `isinstance`. A size beyond 64 bits is refused by torch.
    if any(type(size) is not int or size < 0 for size in shape):
        raise ValueError(f"{reprlib.repr(shape)} has a size that is none")
    if math.prod(shape) * dtype.itemsize != len(buffer):
        raise ValueError(f"{len(buffer)} bytes of {name} do not fit {reprlib.repr(shape)}")
    if dtype == torch.bool and set(buffer) - {0, 1}:
        raise ValueError("a byte of a bool tensor is neither 0 nor 1")
    values = torch.tensor(np.frombuffer(buffer, np.uint8)).view(dtype)
    try:
        return values.reshape(shape)
    except (TypeError, RuntimeError) as error:
        raise ValueError(f"{reprlib.repr(shape)} is no shape of torch") from error
