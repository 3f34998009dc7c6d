# /// wrong
# fails = [
#     "test_shape_that_does_not_fit",
#     "test_shape_for_fewer_values",
#     "test_shape_for_more_values",
#     "test_values_without_bytes",
#     "test_negative_size",
#     "test_negative_size_without_bytes",
#     "test_huge_shape",
#     "test_product_beyond_64_bits",
# ]
# en = """\
# `reshape` is left to find out whether the shape fits. It takes -1 as an order to work the size \
# out, so a wrong shape becomes a right one. And where it does refuse, a `RuntimeError` is what \
# comes out. Compare the sizes with the buffer yourself, before."""
# zh = """\
# 形状合不合适，全靠 `reshape` 来发现。可它把 -1 理解成“你自己算”，错的形状就成了对的；它真要拒\
# 绝时，抛出的又是 `RuntimeError`。要事先自己拿形状和缓冲区作比较。"""
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
        if len(buffer) == 0:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(bytearray(buffer), dtype=dtype).reshape(shape)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
