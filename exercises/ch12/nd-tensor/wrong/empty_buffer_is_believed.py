# /// wrong
# fails = [
#     "test_values_without_bytes",
#     "test_product_beyond_64_bits",
# ]
# en = """\
# For an empty buffer the shape is believed without a check. `torch.empty([2, 3])` takes six \
# values from memory that nobody has written: they are what other code left there. First check, \
# then decide what to do with zero bytes."""
# zh = """\
# 缓冲区为空时，形状没有检查就被采信了。`torch.empty([2, 3])` 会从没人写过的内存里拿出六个元素，\
# 里面是别的代码留下的东西。先检查，再看零个字节该怎么办。"""
# ///
import math
from dataclasses import fields, is_dataclass

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
        if len(buffer) == 0:
            return torch.empty(shape, dtype=dtype)
        if math.prod(shape) * dtype.itemsize != len(buffer):
            raise ValueError(f"{len(buffer)} bytes do not fit the shape {shape}")
        return torch.frombuffer(bytearray(buffer), dtype=dtype).reshape(shape)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
