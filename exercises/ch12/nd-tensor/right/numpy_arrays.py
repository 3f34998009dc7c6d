# Differs: everything about tensors is left to numpy, both ways: `np.ndarray` on a bytearray makes the array
# that arrives, after its size has been compared. Unknown names are KeyErrors.
import dataclasses

import numpy as np
import torch


def serialize_type(obj):
    if type(obj) in (type(None), bool, int, float, str, bytes):
        return obj
    if type(obj) in (list, tuple):
        return [serialize_type(item) for item in obj]
    if type(obj) is dict:
        return {key: serialize_type(obj[key]) for key in obj}
    if isinstance(obj, torch.Tensor):
        array = obj.numpy(force=True)
        return {
            "shape": list(array.shape),
            "dtype": f"torch.{array.dtype}",
            "buffer": array.tobytes(order="C"),
            "__type__": "Tensor",
        }
    if dataclasses.is_dataclass(obj) and not isinstance(obj, type):
        sent = {"__type__": obj.__class__.__name__}
        for field in dataclasses.fields(obj):
            sent[field.name] = serialize_type(getattr(obj, field.name))
        return sent
    raise TypeError(type(obj).__name__)


def deserialize_type(cls_map, data):
    if type(data) is list:
        return [deserialize_type(cls_map, item) for item in data]
    if type(data) is not dict:
        return data
    if data.get("__type__") == "Tensor":
        return to_tensor(data)
    parts = {key: deserialize_type(cls_map, data[key]) for key in data if key != "__type__"}
    return cls_map[data["__type__"]](**parts) if "__type__" in data else parts


def to_tensor(data):
    dtype = np.dtype(data["dtype"].partition(".")[2])
    needed = dtype.itemsize
    for size in data["shape"]:
        if size < 0:
            raise ValueError(f"{size} is no size")
        needed *= size
    if needed != len(data["buffer"]):
        raise ValueError(f"{needed} bytes are needed, {len(data['buffer'])} have come")
    array = np.ndarray(data["shape"], dtype, bytearray(data["buffer"]))
    # numpy keeps no memory for an array without values, and torch makes its own.
    return torch.from_numpy(array) if array.size else torch.from_numpy(np.zeros_like(array))
