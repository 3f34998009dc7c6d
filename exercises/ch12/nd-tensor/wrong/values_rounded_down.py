# /// wrong
# fails = [
#     "test_part_of_a_value",
# ]
# en = """\
# The number of values is worked out by whole division, and what is left over is not looked at. \
# Six bytes then pass for one int32, and the last two are lost. Compare bytes with bytes."""
# zh = """\
# 元素个数是用整除算出来的，余数没人看。于是六个字节也能当成一个 int32，最后两个字节就丢了。要拿\
# 字节数和字节数比。"""
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
        if math.prod(shape) != len(buffer) // dtype.itemsize:
            raise ValueError(f"{len(buffer)} bytes do not fit the shape {shape}")
        if len(buffer) == 0:
            return torch.empty(shape, dtype=dtype)
        flat = torch.frombuffer(bytearray(buffer), dtype=dtype, count=math.prod(shape))
        return flat.reshape(shape)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
