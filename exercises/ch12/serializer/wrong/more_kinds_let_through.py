# /// wrong
# fails = [
#     "test_other_types_are_refused",
# ]
# en = """\
# Some types that are not in the table are accepted as if they were their relatives: a `bytearray` \
# as bytes, a `frozenset` or a `range` as a list, or a `complex` as a number. The receiver gets \
# another type, or msgpack fails later. The table is complete: refuse the rest."""
# zh = """\
# 有些表里没有的类型被当成它们的近亲放行了：`bytearray` 当成字节串，`frozenset` 或 `range` 当成列表，\
# 或者 `complex` 当成数字。结果接收方收到的是另一种类型，或者后来 msgpack 才出错。表里列的就是全部，\
# 其余的都要拒绝。"""
# ///
from dataclasses import fields, is_dataclass

import torch


def serialize_type(obj):
    if obj is None or isinstance(obj, (bool, int, float, str, bytes, bytearray)):
        return obj
    if isinstance(obj, (list, tuple, frozenset)):
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
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)
