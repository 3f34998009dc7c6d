# /// wrong
# fails = [
#     "test_two_rows_become_a_dict",
#     "test_two_rows_come_back",
#     "test_transposed_comes_back",
#     "test_single_number_comes_back",
#     "test_batch_in_a_message",
#     "test_one_dimension",
#     "test_many_dimensions",
#     "test_sizes_of_one",
#     "test_single_number",
#     "test_dict_of_a_single_number",
#     "test_empty_vector",
#     "test_sizes_of_zero",
#     "test_dtypes_of_rows",
#     "test_views_of_rows",
#     "test_permuted_dimensions",
#     "test_some_rows",
#     "test_row_by_row",
#     "test_gradient_is_no_hindrance",
#     "test_parameter",
#     "test_tensors_in_messages",
# ]
# en = """\
# `tensor.shape` is a `torch.Size`, an object of torch. serialize_type promises primitives, \
# lists and dicts, so that any packer can take over from there. Make a list of it."""
# zh = """\
# `tensor.shape` 是 `torch.Size`，是 torch 的对象。serialize_type 承诺结果里只有基本类型、列表和\
# 字典，这样随便哪种打包工具都能接手。把它变成列表。"""
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
            "shape": obj.shape,
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
