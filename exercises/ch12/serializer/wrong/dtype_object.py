# /// wrong
# fails = [
#     "test_tensor_becomes_bytes",
#     "test_tensor_comes_back",
#     "test_bytes_of_a_whole_message",
#     "test_dicts_of_objects",
#     "test_keys_in_any_order",
#     "test_bytes_of_any_message",
#     "test_dtypes",
#     "test_views",
#     "test_empty_tensor",
#     "test_decoded_tensor_can_be_written",
#     "test_data_is_left_alone",
# ]
# en = """\
# `tensor.dtype` is an object of torch, and msgpack cannot pack it. Only primitives can travel: \
# send the dtype's name, and find the dtype by its name on the other side."""
# zh = """\
# `tensor.dtype` 是 torch 的对象，msgpack 没法打包。能上路的只有基本类型：发送 dtype 的名字，到\
# 另一边再按名字找回 dtype。"""
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
        if obj.dim() != 1:
            raise ValueError(f"not a 1-D tensor: {obj.dim()} dimensions")
        return {"__type__": "Tensor", "buffer": obj.numpy().tobytes(), "dtype": obj.dtype}
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
        dtype = data["dtype"]
        if len(data["buffer"]) == 0:
            return torch.empty(0, dtype=dtype)
        return torch.frombuffer(bytearray(data["buffer"]), dtype=dtype)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
