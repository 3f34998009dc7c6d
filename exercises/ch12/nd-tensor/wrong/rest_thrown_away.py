# /// wrong
# fails = [
#     "test_shape_for_fewer_values",
#     "test_part_of_a_value",
# ]
# en = """\
# As many values are read as the shape asks for, and the rest of the buffer is thrown away \
# without a word. If the two do not agree, one of them is wrong, and nobody can tell which: \
# refuse the data."""
# zh = """\
# 形状要多少元素就读多少，缓冲区剩下的部分悄悄扔掉了。两者对不上，就说明其中一个错了，又看不出是\
# 哪一个：应当拒绝这份数据。"""
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
        count = math.prod(shape)
        if count * dtype.itemsize > len(buffer):
            raise ValueError(f"{len(buffer)} bytes are too few for the shape {shape}")
        if count == 0:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(bytearray(buffer), dtype=dtype, count=count).reshape(shape)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
