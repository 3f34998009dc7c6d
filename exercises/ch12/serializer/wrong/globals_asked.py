# /// wrong
# fails = [
#     "test_only_names_of_cls_map",
# ]
# en = """\
# A name that `cls_map` does not know is looked up among the names of your module. So whoever \
# sends the bytes chooses what your process calls, even something that is no message at all. \
# `cls_map` is the list of what may be built, and it is complete."""
# zh = """\
# `cls_map` 不认识的名字，又到你的模块里去找。这样一来，你的进程会调用什么，就由发来字节的人说了\
# 算，哪怕那根本不是消息。`cls_map` 就是允许构造的全部名单，没有例外。"""
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
    cls = cls_map[name] if name in cls_map else globals()[name]
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls(**values)
