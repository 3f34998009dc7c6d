# /// wrong
# fails = [
#     "test_huge_shape",
#     "test_product_beyond_64_bits",
# ]
# en = """\
# The tensor is made first and compared with the buffer afterwards. By then the memory has been \
# asked for: a shape of a few bytes can claim more than the machine has. The shape and the \
# length of the buffer are enough for the check."""
# zh = """\
# 先造张量，然后才和缓冲区比较。这时内存已经申请了：短短几个字节的形状，就能索要比整台机器还多的\
# 内存。有形状和缓冲区的长度，就足够检查了。"""
# ///
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
        tensor = torch.empty(shape, dtype=dtype)
        if tensor.nbytes != len(buffer):
            raise ValueError(f"{len(buffer)} bytes do not fit the shape {shape}")
        if len(buffer) > 0:
            tensor.copy_(torch.frombuffer(bytearray(buffer), dtype=dtype).reshape(shape))
        return tensor
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
