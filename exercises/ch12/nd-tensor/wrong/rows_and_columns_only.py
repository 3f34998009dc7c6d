# /// wrong
# fails = [
#     "test_single_number_comes_back",
#     "test_one_dimension",
#     "test_many_dimensions",
#     "test_sizes_of_one",
#     "test_single_number",
#     "test_dict_of_a_single_number",
#     "test_empty_vector",
#     "test_sizes_of_zero",
#     "test_permuted_dimensions",
#     "test_tensors_in_messages",
# ]
# en = """\
# The shape is taken apart into rows and columns, so only 2-D tensors can be sent. A prompt is \
# still 1-D, a single number has no dimension at all. A list of sizes holds any number of them."""
# zh = """\
# 形状被拆成行和列，所以只能发送二维张量。可是一条提示词仍然是一维的，单独一个数连一维都没有。用\
# 列表来放各维的大小，几维都行。"""
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
        rows, columns = obj.shape
        return {
            "__type__": "Tensor",
            "buffer": obj.detach().numpy().tobytes(),
            "dtype": str(obj.dtype),
            "shape": [rows, columns],
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
