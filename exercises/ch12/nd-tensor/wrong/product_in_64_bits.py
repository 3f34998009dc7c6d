# /// wrong
# fails = [
#     "test_product_beyond_64_bits",
# ]
# en = """\
# The product is worked out in 64-bit integers, which start again from below when it grows too \
# large. A shape with a giant product can so seem to hold just two values. Python's own integers \
# have no such limit: which function multiplies with them?"""
# zh = """\
# 乘积是用 64 位整数算的，太大时会绕回去从头开始。于是乘积极大的形状，看上去可能正好只有两个元\
# 素。Python 自己的整数没有这个限制：哪个函数用它来做乘法？"""
# ///
from dataclasses import fields, is_dataclass

import numpy as np
import torch


def serialize_type(obj):
    if obj is None or isinstance(obj, (bool, int, float, str, bytes)):
        return obj
    if isinstance(obj, (list, tuple)):
        return [serialize_type(item) for item in obj]
    if isinstance(obj, dict):
        return {key: serialize_type(value) for key, value in obj.items()}
    if isinstance(obj, torch.Tensor):
        return {
            "__type__": "Tensor",
            "buffer": obj.detach().numpy().tobytes(),
            "dtype": str(obj.dtype),
            "shape": list(obj.shape),
        }
    if is_dataclass(obj) and not isinstance(obj, type):
        data = {"__type__": type(obj).__name__}
        for field in fields(obj):
            data[field.name] = serialize_type(getattr(obj, field.name))
        return data
    raise TypeError(f"cannot send a value of type {type(obj).__name__}")


def deserialize_type(cls_map, data):
    if isinstance(data, list):
        return [deserialize_type(cls_map, item) for item in data]
    if not isinstance(data, dict):
        return data
    if "__type__" not in data:
        return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    name = data["__type__"]
    if name == "Tensor":
        dtype = getattr(torch, data["dtype"].removeprefix("torch."))
        buffer, shape = data["buffer"], data["shape"]
        if any(size < 0 for size in shape):
            raise ValueError(f"a negative size in {shape}")
        if int(np.prod(shape, dtype=np.int64)) * dtype.itemsize != len(buffer):
            raise ValueError(f"{len(buffer)} bytes do not fit the shape {shape}")
        if len(buffer) == 0:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(bytearray(buffer), dtype=dtype).reshape(shape)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
