# /// wrong
# fails = [
#     "test_bytes_of_a_whole_message",
#     "test_other_attributes_are_not_sent",
#     "test_class_with_slots",
#     "test_bytes_of_any_message",
#     "test_message_is_left_alone",
# ]
# en = """\
# `vars(obj)` is no copy: it is the object's own dict. What you write into it becomes an \
# attribute of the message, and the sender may still want to use that message. Where should the \
# result be built instead?"""
# zh = """\
# `vars(obj)` 不是副本，它就是对象自己的字典。往里面写，等于给这条消息加属性，而发送方可能还要用\
# 它。结果应该放在哪里来拼？"""
# ///
from dataclasses import is_dataclass

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
        data = vars(obj)
        data["__type__"] = type(obj).__name__
        return {key: serialize_type(value) for key, value in data.items()}
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
