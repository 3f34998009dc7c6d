"""A small generic serializer: a message becomes a dict of primitives, which msgpack can pack.

What can be sent, and as what:

    None, bool, int, float, str, bytes    itself; an int needs to fit in 64 bits
    list, tuple                           a list (msgpack has no tuple)
    dict                                  a dict; its keys are primitives
    a dataclass                           {"__type__": class name, field: value, …}
    a tensor of shape [n]                 {"__type__": "Tensor", "buffer": bytes, "dtype": name}
    a dict that has a key "__type__"      {"__type__": "dict", "value": that dict}

The last line is an escape: without it, a user's own `{"__type__": …}` would be taken for an
object on the other side. Everything else is refused with the name of its type and its place in
the message. Only exact types count: a subclass (an enum, a namedtuple, `numpy.float64`) would
come back as its base, without a word. Both directions refuse nesting deeper than `MAX_DEPTH`.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np
import torch

MAX_DEPTH = 100

_TYPE = "__type__"
_TENSOR = "Tensor"
_DICT = "dict"
_PRIMITIVES = (type(None), bool, int, float, str, bytes)

# Listed by name because not every torch has every dtype. Quantized dtypes are left out: their
# bytes mean nothing without a scale.
# fmt: off
_DTYPE_NAMES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
    "float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
    "float4_e2m1fn_x2",
)
# fmt: on
_DTYPES = {f"torch.{name}": getattr(torch, name) for name in _DTYPE_NAMES if hasattr(torch, name)}

# The way from the whole message to one of its values: a name, then fields, keys and indices.
# Its length is the depth of the value.
_Path = tuple[Any, ...]


def serialize_type(obj: Any) -> Any:
    """Turn `obj` into primitives, lists and dicts: a message or a tensor becomes a dict.

    Tensors are copied, detached from autograd and brought to the CPU, so they are values and no
    views. TypeError for a type that cannot be sent; ValueError for a value that cannot (an int
    beyond 64 bits, a lone surrogate in a str, a tensor that is not 1-D, too deep a nesting).
    """
    return _encode(obj, (type(obj).__name__,))


def deserialize_type(cls_map: Mapping[str, Any], data: Any) -> Any:
    """The reverse of `serialize_type`; `cls_map` maps a name to the dataclass it stands for.

    Nothing but a dataclass is ever built, whatever else `cls_map` contains. A field that `data`
    lacks takes its default, so an older sender is understood; an unknown field is refused.
    Tensors have shape [n], lie on the CPU and own writable memory. ValueError, with the place in
    the message, for everything that `serialize_type` cannot have made.
    """
    return _decode(cls_map, data, ("message",))


def _encode(obj: Any, path: _Path) -> Any:
    _check_depth(path)
    if type(obj) in _PRIMITIVES:
        _check_primitive(obj, path)
        return obj
    if type(obj) in (list, tuple):
        return [_encode(item, (*path, i)) for i, item in enumerate(obj)]
    if type(obj) is dict:
        for key in obj:
            if type(key) not in _PRIMITIVES:
                raise TypeError(f"{_place(path)}: {reprlib.repr(key)} cannot be a key")
            _check_primitive(key, path)
        encoded = {key: _encode(value, (*path, key)) for key, value in obj.items()}
        return {_TYPE: _DICT, "value": encoded} if _TYPE in obj else encoded
    if isinstance(obj, torch.Tensor):
        return _encode_tensor(obj, path)
    if is_dataclass(obj) and not isinstance(obj, type):
        return _encode_dataclass(obj, path)
    kind = type(obj)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    raise TypeError(f"{_place(path)}: a value of type {name} cannot be sent")


def _encode_dataclass(obj: Any, path: _Path) -> dict[str, Any]:
    name = type(obj).__name__
    if name in (_TENSOR, _DICT):
        raise TypeError(f"{_place(path)}: a dataclass cannot be called {name}, the name is taken")
    encoded = {_TYPE: name}
    for field in fields(obj):
        if not field.init or field.name == _TYPE:
            raise TypeError(f"{_place(path)}: the field {field.name} could not be restored")
        encoded[field.name] = _encode(getattr(obj, field.name), (*path, field.name))
    return encoded


def _encode_tensor(tensor: torch.Tensor, path: _Path) -> dict[str, Any]:
    dtype = str(tensor.dtype)
    plain = tensor.layout == torch.strided and not (tensor.is_nested or tensor.is_meta)
    if dtype not in _DTYPES or not plain:
        raise TypeError(
            f"{_place(path)}: a tensor of {dtype}, {tensor.layout}, {tensor.device} cannot be sent"
        )
    if tensor.dim() != 1:
        raise ValueError(
            f"{_place(path)}: only 1-D tensors can be sent, this one has shape {[*tensor.shape]}"
        )
    # `clone` applies what a conjugated or negated view has only marked, and always gives plain
    # strides; `contiguous()` keeps the stride of a single element, which `view` then refuses.
    values = tensor.detach().cpu().clone(memory_format=torch.contiguous_format)
    # Through uint8, because numpy has no bfloat16 and no float8.
    return {_TYPE: _TENSOR, "buffer": values.view(torch.uint8).numpy().tobytes(), "dtype": dtype}


def _decode(cls_map: Mapping[str, Any], data: Any, path: _Path) -> Any:
    _check_depth(path)
    if type(data) in _PRIMITIVES:
        return data
    if type(data) in (list, tuple):
        return [_decode(cls_map, item, (*path, i)) for i, item in enumerate(data)]
    if type(data) is not dict:
        raise ValueError(f"{_place(path)}: a {type(data).__name__} is no part of a message")
    if _TYPE not in data:
        return _decode_dict(cls_map, data, path)
    name = data[_TYPE]
    if name == _TENSOR:
        return _decode_tensor(data, path)
    if name == _DICT:
        if set(data) != {_TYPE, "value"} or type(data["value"]) is not dict:
            raise ValueError(f'{_place(path)}: an escaped dict has one entry, the dict "value"')
        return _decode_dict(cls_map, data["value"], path)
    cls = cls_map.get(name) if isinstance(name, str) else None
    if not (isinstance(cls, type) and is_dataclass(cls)):
        raise ValueError(f"{_place(path)}: {reprlib.repr(name)} is no message type known here")
    return _decode_dataclass(cls_map, cls, data, path)


def _decode_dict(cls_map: Mapping[str, Any], data: dict, path: _Path) -> dict:
    for key in data:
        if type(key) not in _PRIMITIVES:
            raise ValueError(f"{_place(path)}: {reprlib.repr(key)} cannot be a key")
    return {key: _decode(cls_map, value, (*path, key)) for key, value in data.items()}


def _decode_dataclass(cls_map: Mapping[str, Any], cls: type, data: dict, path: _Path) -> Any:
    known = {field.name: field for field in fields(cls) if field.init}
    for key in data:
        if key != _TYPE and key not in known:
            raise ValueError(f"{_place(path)}: {cls.__name__} has no field {reprlib.repr(key)}")
    for name, field in known.items():
        if name not in data and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{_place(path)}: the field {name} of {cls.__name__} is missing")
    return cls(**{k: _decode(cls_map, v, (*path, k)) for k, v in data.items() if k != _TYPE})


def _decode_tensor(data: dict, path: _Path) -> torch.Tensor:
    if set(data) != {_TYPE, "buffer", "dtype"}:
        raise ValueError(f"{_place(path)}: a tensor has a buffer and a dtype, nothing else")
    buffer, name = data["buffer"], data["dtype"]
    dtype = _DTYPES.get(name) if isinstance(name, str) else None
    if dtype is None:
        raise ValueError(f"{_place(path)}: {reprlib.repr(name)} is no dtype known here")
    if type(buffer) is not bytes:
        raise ValueError(f"{_place(path)}: a tensor's buffer is bytes, not {type(buffer).__name__}")
    if len(buffer) % dtype.itemsize:
        raise ValueError(
            f"{_place(path)}: a buffer of {len(buffer)} bytes is no whole number of {name} items "
            f"of {dtype.itemsize} bytes"
        )
    # `torch.tensor` copies: a tensor on the message's own bytes could not be written to.
    return torch.tensor(np.frombuffer(buffer, dtype=np.uint8)).view(dtype)


def _check_primitive(value: Any, path: _Path) -> None:
    if type(value) is int and not -(2**63) <= value < 2**64:
        # Without the value, which may have thousands of digits.
        raise ValueError(f"{_place(path)}: an int beyond 64 bits (-2**63 to 2**64 - 1)")
    if type(value) is str:
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"{_place(path)}: a str that is no valid text: {error}") from None


def _check_depth(path: _Path) -> None:
    if len(path) > MAX_DEPTH:
        raise ValueError(f"{path[0]}: nested more than {MAX_DEPTH} deep")


def _place(path: _Path) -> str:
    """`("UserMsg", "sampling_params", "top_k")` → `UserMsg.sampling_params.top_k`."""
    steps = [
        f".{step}" if isinstance(step, str) and step.isidentifier() else f"[{reprlib.repr(step)}]"
        for step in path[1:]
    ]
    return path[0] + "".join(steps)
