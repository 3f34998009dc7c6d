# /// wrong
# fails = [
#     "test_tensor_becomes_bytes",
#     "test_bytes_of_a_whole_message",
#     "test_keys_in_any_order",
#     "test_bytes_of_any_message",
#     "test_views",
#     "test_decoded_tensor_can_be_written",
#     "test_data_is_left_alone",
# ]
# en = """\
# The buffer holds a list of Python numbers and no bytes. It can be decoded again, but only by \
# your own code: any other receiver expects bytes. It also costs time and room, for each number \
# is packed on its own."""
# zh = """\
# 缓冲区里放的是 Python 数字的列表，不是字节。你自己的代码能还原，别的接收方却等着字节。而且每个\
# 数字都要单独打包，又慢又占地方。"""
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
        return {"__type__": "Tensor", "buffer": obj.tolist(), "dtype": str(obj.dtype)}
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
        return torch.tensor(data["buffer"], dtype=dtype)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
