# /// wrong
# fails = [
#     "test_object_comes_back",
#     "test_bytes_of_a_whole_message",
#     "test_lists_of_objects",
#     "test_objects_in_objects",
#     "test_every_object_has_its_type",
#     "test_tuples_arrive_as_lists",
#     "test_bytes_of_any_message",
# ]
# en = """\
# `dataclasses.asdict` goes down to the last level by itself: objects in fields become plain \
# dicts before your code sees them, so they get no `__type__`. The receiver cannot know any more \
# what they were. What if you took one level only, and let your own function go on from there?"""
# zh = """\
# `dataclasses.asdict` 自己会一层层走到底：字段里的对象还没轮到你的代码处理，就已经变成了普通字\
# 典，也就没有 `__type__`，接收方再也不知道它们原来是什么。想一想：如果每次只展开一层，剩下的交\
# 给你自己的函数呢？"""
# ///
from dataclasses import asdict, is_dataclass

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
        return {"__type__": type(obj).__name__, **serialize_type(asdict(obj))}
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
