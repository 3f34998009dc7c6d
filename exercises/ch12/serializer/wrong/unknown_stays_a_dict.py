# /// wrong
# fails = [
#     "test_unknown_type_is_refused",
#     "test_only_names_of_cls_map",
# ]
# en = """\
# A name that is not in `cls_map` gives back the dict. The receiver takes it for a message and \
# fails somewhere else, later, at `message.uid`. Say at once what is wrong, and name the type."""
# zh = """\
# 名字不在 `cls_map` 里时，返回的是原来的字典。接收方把它当成消息，结果后来在别的地方、在 \
# `message.uid` 那一行才出错。要当场说清问题，并写出类型的名字。"""
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
        return {"__type__": "Tensor", "buffer": obj.numpy().tobytes(), "dtype": str(obj.dtype)}
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
        return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
