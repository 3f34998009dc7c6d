# /// wrong
# fails = [
#     "test_other_attributes_are_not_sent",
#     "test_class_with_slots",
# ]
# en = """\
# `vars(obj)` gives the attributes that the object has at this moment. That is often the same as \
# its fields, but not always: somebody may have noted something on the object, and a class with \
# slots has no `__dict__` at all. Which function asks the class and not the object?"""
# zh = """\
# `vars(obj)` 给出的是对象此刻拥有的属性。它常常和字段一样，但不总是：可能有人在对象上临时记了点\
# 东西，而用了 slots 的类根本没有 `__dict__`。哪个函数问的是类，而不是对象？"""
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
        data = {"__type__": type(obj).__name__}
        for name, value in vars(obj).items():
            data[name] = serialize_type(value)
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
