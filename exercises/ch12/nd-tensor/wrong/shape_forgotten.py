# /// wrong
# fails = [
#     "test_two_rows_become_a_dict",
#     "test_two_rows_come_back",
#     "test_transposed_comes_back",
#     "test_single_number_comes_back",
#     "test_batch_in_a_message",
#     "test_shape_that_does_not_fit",
#     "test_one_dimension",
#     "test_many_dimensions",
#     "test_sizes_of_one",
#     "test_single_number",
#     "test_dict_of_a_single_number",
#     "test_sizes_of_zero",
#     "test_dtypes_of_rows",
#     "test_views_of_rows",
#     "test_permuted_dimensions",
#     "test_some_rows",
#     "test_row_by_row",
#     "test_gradient_is_no_hindrance",
#     "test_parameter",
#     "test_tensors_in_messages",
#     "test_decoded_rows_can_be_written",
#     "test_shape_for_fewer_values",
#     "test_shape_for_more_values",
#     "test_values_without_bytes",
#     "test_negative_size",
#     "test_negative_size_without_bytes",
#     "test_huge_shape",
#     "test_product_beyond_64_bits",
# ]
# en = """\
# The bytes travel, the shape does not: whatever was sent arrives as one row. Two rows of three \
# and three rows of two have the same bytes. What else has to go into the dict, and what has to \
# be done with it on the other side?"""
# zh = """\
# 字节发过去了，形状没有：不管发的是什么，到达时都成了一行。两行三列和三行两列，字节一模一样。字\
# 典里还要放什么，另一边又要拿它做什么？"""
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
        if len(data["buffer"]) == 0:
            return torch.empty(0, dtype=dtype)
        return torch.frombuffer(bytearray(data["buffer"]), dtype=dtype)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
