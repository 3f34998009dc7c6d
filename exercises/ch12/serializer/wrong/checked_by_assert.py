# /// wrong
# fails = [
#     "test_more_dimensions_are_refused",
#     "test_single_number_is_refused",
# ]
# en = """\
# Nothing stops a tensor that is not 1-D, or only an `assert` does, or an exception of a kind that \
# the statement does not name. An `assert` is a note for programmers: `python -O` leaves it out, and \
# then a 2-D tensor arrives as a flat one without a word. A check that must hold raises an exception itself."""
# zh = """\
# 不是一维的张量没有被拦住，或者只有 `assert` 在拦，或者抛出的异常不是题目所说的几种。\
# `assert` 是写给程序员的提醒：加上 `python -O` 就没有了，二维张量会悄无声息地变成一维。必须成立的检查，\
# 要自己抛出异常。"""
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
        assert obj.dim() == 1, "not a 1-D tensor"
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
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
