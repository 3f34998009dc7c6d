# /// wrong
# fails = ["test_objects_are_no_messages"]
# en = """\
# `is_dataclass` is true for an object of a dataclass as well as for the class. So an object \
# in `cls_map` passes your check and is called. Ask for `isinstance(cls, type)` too."""
# zh = """\
# `is_dataclass` 对数据类成立，对数据类的对象也成立。所以 `cls_map` 里的一个对象通过了检查，还被\
# 调用了。要同时看 `isinstance(cls, type)`。"""
# ///
import math
import reprlib
from dataclasses import MISSING, fields, is_dataclass

import msgpack
import numpy as np
import torch

PRIMITIVES = (type(None), bool, int, float, str, bytes)
NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bfloat16", "float16", "float32", "float64",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
    "complex32", "complex64", "complex128",
)  # fmt: skip
DTYPES = {f"torch.{name}": getattr(torch, name) for name in NAMES if hasattr(torch, name)}


def encode(message):
    return msgpack.packb(serialize(message), use_bin_type=True)


def decode(cls_map, raw):
    try:
        data = msgpack.unpackb(raw, raw=False, strict_map_key=False)
    except (ValueError, TypeError) as error:
        raise ValueError(f"no msgpack message: {error}") from error
    message = deserialize(cls_map, data, 0)
    if not is_dataclass(message):
        raise ValueError(f"a {type(message).__name__} is no message")
    return message


def serialize(obj):
    if isinstance(obj, PRIMITIVES):
        return obj
    if isinstance(obj, (list, tuple)):
        return [serialize(item) for item in obj]
    if isinstance(obj, dict):
        values = {key: serialize(value) for key, value in obj.items()}
        if "__type__" in obj:
            return {"__type__": "dict", "value": values}
        return values
    if isinstance(obj, torch.Tensor):
        values = obj.detach().clone(memory_format=torch.contiguous_format).reshape(-1)
        return {
            "__type__": "Tensor",
            "buffer": values.view(torch.uint8).numpy().tobytes(),
            "dtype": str(obj.dtype),
            "shape": list(obj.shape),
        }
    if is_dataclass(obj):
        data = {"__type__": type(obj).__name__}
        for field in fields(obj):
            data[field.name] = serialize(getattr(obj, field.name))
        return data
    raise TypeError(f"cannot send a value of type {type(obj).__name__}")


def deserialize(cls_map, data, depth):
    if depth > 100:
        raise ValueError("nested too deeply")
    if isinstance(data, list):
        return [deserialize(cls_map, item, depth + 1) for item in data]
    if isinstance(data, dict):
        return deserialize_dict(cls_map, data, depth)
    if not isinstance(data, PRIMITIVES):
        raise ValueError(f"a {type(data).__name__} is no part of a message")
    return data


def deserialize_dict(cls_map, data, depth):
    if not all(isinstance(key, PRIMITIVES) for key in data):
        raise ValueError("a key that encode never writes")
    if "__type__" not in data:
        return {key: deserialize(cls_map, value, depth + 1) for key, value in data.items()}
    name = data["__type__"]
    parts = {key: value for key, value in data.items() if key != "__type__"}
    if name == "dict":
        if list(parts) != ["value"] or not isinstance(parts["value"], dict):
            raise ValueError("no marked dict")
        return {k: deserialize(cls_map, v, depth + 1) for k, v in parts["value"].items()}
    if name == "Tensor":
        return deserialize_tensor(parts)
    if not isinstance(name, str) or name not in cls_map:
        raise ValueError(f"unknown type {reprlib.repr(name)}")
    cls = cls_map[name]
    if not is_dataclass(cls):
        raise ValueError(f"{reprlib.repr(name)} is no message")
    known = {field.name: field for field in fields(cls)}
    for key in parts:
        if key not in known:
            raise ValueError(f"{name} has no field {reprlib.repr(key)}")
    for key, field in known.items():
        if key not in parts and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"the field {key} of {name} is missing")
    return cls(**{key: deserialize(cls_map, value, depth + 1) for key, value in parts.items()})


def deserialize_tensor(parts):
    if parts.keys() != {"buffer", "dtype", "shape"}:
        raise ValueError("a tensor has a buffer, a dtype and a shape")
    buffer, name, shape = parts["buffer"], parts["dtype"], parts["shape"]
    if not isinstance(name, str) or name not in DTYPES:
        raise ValueError(f"unknown dtype {reprlib.repr(name)}")
    dtype = DTYPES[name]
    if not isinstance(buffer, bytes):
        raise ValueError(f"a buffer of type {type(buffer).__name__}")
    if not isinstance(shape, list) or len(shape) > 64:
        raise ValueError("the shape is no list, or too long")
    if any(type(size) is not int or not 0 <= size < 2**63 for size in shape):
        raise ValueError(f"no shape: {reprlib.repr(shape)}")
    if math.prod(shape) * dtype.itemsize != len(buffer):
        raise ValueError(f"{len(buffer)} bytes do not fit the shape {reprlib.repr(shape)}")
    if dtype == torch.bool and any(byte > 1 for byte in buffer):
        raise ValueError("a truth value that is neither 0 nor 1")
    return torch.tensor(np.frombuffer(buffer, np.uint8)).view(dtype).reshape(shape)
