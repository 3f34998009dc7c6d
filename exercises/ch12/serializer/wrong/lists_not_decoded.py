# /// wrong
# fails = [
#     "test_lists_of_objects",
#     "test_tuples_arrive_as_lists",
#     "test_object_without_fields",
#     "test_unknown_type_is_refused",
#     "test_data_is_left_alone",
# ]
# en = """\
# A list comes back as it arrived: the objects in it are still dicts. serialize_type goes into \
# lists, so deserialize_type has to go into them too. Batches are such lists."""
# zh = """\
# 列表收到什么样就返回什么样，里面的对象还是字典。serialize_type 会走进列表，deserialize_type 也\
# 必须走进去。批量消息（batch）就是这样的列表。"""
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
