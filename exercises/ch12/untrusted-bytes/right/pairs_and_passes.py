# Differs: a user's dict travels as a list of its pairs, and the bytes are looked at in two passes. The first
# has no recursion: it counts levels and refuses what is no plain value. The second builds, and whatever
# still goes wrong in a constructor or in torch is turned into the one exception of this module.
import dataclasses
import math

import msgpack
import numpy as np
import torch

DEEPEST = 120
EACH_IN_A_WORD = 60
PLAIN = {bool, int, float, str, bytes, type(None)}
QUANTIZED = ("torch.qint", "torch.quint")
DTYPES = {
    str(dtype): dtype
    for dtype in vars(torch).values()
    if isinstance(dtype, torch.dtype) and not str(dtype).startswith(QUANTIZED)
}


class BadMessage(ValueError):
    """The bytes are no message."""


def encode(message):
    return msgpack.packb(_encoded(message), use_bin_type=True)


def _encoded(value):
    if isinstance(value, torch.Tensor):
        return {
            "__type__": "Tensor",
            "buffer": _raw(value.detach()),
            "dtype": str(value.dtype),
            "shape": list(value.shape),
        }
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        rest = {name: _encoded(getattr(value, name)) for name in names}
        return {"__type__": type(value).__name__, **rest}
    if isinstance(value, dict):
        if "__type__" in value:
            pairs = [[key, _encoded(item)] for key, item in value.items()]
            return {"__type__": None, "pairs": pairs}
        return {key: _encoded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encoded(item) for item in value]
    return value


def _raw(tensor):
    whole = tensor.resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
    return whole.flatten().view(torch.uint8).numpy().tobytes()


def decode(cls_map, raw):
    try:
        data = msgpack.unpackb(raw, raw=False, strict_map_key=False)
        _check_values(data)
        message = _decoded(cls_map, data)
    except BadMessage:
        raise
    except (TypeError, ValueError, RuntimeError) as error:
        raise BadMessage(f"{type(error).__name__}: {str(error)[:300]}") from error
    if not dataclasses.is_dataclass(message):
        raise BadMessage(f"this is a {type(message).__name__} and no message")
    return message


def _check_values(data):
    level = [data]
    for _ in range(2 * DEEPEST):
        below = []
        for value in level:
            if type(value) is dict:
                if set(map(type, value)) - PLAIN:
                    raise BadMessage("a key that is no plain value")
                below += value.values()
            elif type(value) is list:
                below += value
            elif type(value) not in PLAIN:
                raise BadMessage(f"a value of type {type(value).__name__}")
        level = below
        if not level:
            return
    raise BadMessage("too deep")


def _decoded(cls_map, data, level=0):
    if level > DEEPEST:
        raise BadMessage("too deep")
    if type(data) is list:
        return [_decoded(cls_map, item, level + 1) for item in data]
    if type(data) is not dict:
        return data
    if "__type__" not in data:
        return {key: _decoded(cls_map, item, level + 1) for key, item in data.items()}
    parts = dict(data)
    name = parts.pop("__type__")
    if name is None:
        return _from_pairs(cls_map, parts, level)
    if type(name) is not str:
        raise BadMessage("the type of an object is text")
    if name == "Tensor":
        return _tensor(parts)
    return _object(cls_map, name, parts, level)


def _from_pairs(cls_map, parts, level):
    pairs = parts.pop("pairs", None)
    if parts or type(pairs) is not list or any(type(p) is not list or len(p) != 2 for p in pairs):
        raise BadMessage("no pairs of a dict")
    return {key: _decoded(cls_map, item, level + 1) for key, item in pairs}


def _object(cls_map, name, parts, level):
    try:
        cls = cls_map[name]
    except KeyError:
        raise BadMessage(f"nobody knows a {name[:EACH_IN_A_WORD]}") from None
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        raise BadMessage(f"{name[:EACH_IN_A_WORD]} is no dataclass")
    needed = {field.name for field in dataclasses.fields(cls)}
    if parts.keys() - needed:
        odd = next(key for key in parts if key not in needed)
        raise BadMessage(f"{name} has no field {str(odd)[:EACH_IN_A_WORD]}")
    values = {key: _decoded(cls_map, item, level + 1) for key, item in parts.items()}
    return cls(**values)  # a missing field is a TypeError with its name


def _tensor(parts):
    if sorted(map(str, parts)) != ["buffer", "dtype", "shape"]:
        raise BadMessage("a tensor with other parts")
    shape, buffer, name = parts["shape"], parts["buffer"], parts["dtype"]
    if type(name) is not str or name not in DTYPES:
        raise BadMessage(f"no dtype: {str(name)[:EACH_IN_A_WORD]}")
    if type(buffer) is not bytes or type(shape) is not list or {*map(type, shape)} - {int}:
        raise BadMessage("a tensor with parts of other types")
    if min(shape, default=0) < 0 or len(shape) > 64:
        raise BadMessage("a shape with negative sizes, or with too many")
    dtype = DTYPES[name]
    if math.prod(shape) * dtype.itemsize != len(buffer):
        raise BadMessage("the shape does not fit the buffer")
    memory = np.frombuffer(bytearray(buffer), dtype=np.uint8)
    if dtype is torch.bool and (memory > 1).any():
        raise BadMessage("a truth value is 0 or 1")
    return torch.from_numpy(memory).view(dtype).reshape(shape)
