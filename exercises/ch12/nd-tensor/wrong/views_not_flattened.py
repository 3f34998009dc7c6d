# /// wrong
# fails = [
#     "test_transposed_comes_back",
#     "test_views_of_rows",
#     "test_permuted_dimensions",
#     "test_row_by_row",
#     "test_gradient_is_no_hindrance",
# ]
# en = """\
# `view(-1)` only works if the values already lie in one row in memory. For `x.t()` or \
# `x[:, 1:]` they do not, and torch refuses. Which call copies when it has to?"""
# zh = """\
# `view(-1)` 只有在元素本来就排成一行时才行。`x.t()`、`x[:, 1:]` 的元素不是这样排的，torch 就会\
# 拒绝。哪个调用会在需要时复制一份？"""
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
            "buffer": obj.detach().view(-1).numpy().tobytes(),
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
        if math.prod(shape) * dtype.itemsize != len(buffer):
            raise ValueError(f"{len(buffer)} bytes do not fit the shape {shape}")
        if len(buffer) == 0:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(bytearray(buffer), dtype=dtype).reshape(shape)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
