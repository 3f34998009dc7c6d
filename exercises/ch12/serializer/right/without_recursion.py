# Differs: no recursion. Both directions keep a list of what is still to do, and every entry says where its
# result belongs. Objects are made when all of their fields are there, from the inside out.
from dataclasses import fields, is_dataclass

import numpy as np
import torch

AS_THEY_ARE = (str, bytes, int, float, bool, type(None))
NUMPY_NAMES = "bool uint8 int8 int16 int32 int64 float16 float32 float64"


def serialize_type(obj):
    root = [None]
    to_do = [(obj, root, 0)]
    while to_do:
        value, owner, place = to_do.pop()
        if isinstance(value, AS_THEY_ARE):
            owner[place] = value
        elif isinstance(value, (list, tuple)):
            owner[place] = [None] * len(value)
            to_do += [(item, owner[place], index) for index, item in enumerate(value)]
        elif isinstance(value, dict):
            owner[place] = dict.fromkeys(value)
            to_do += [(item, owner[place], key) for key, item in value.items()]
        elif isinstance(value, torch.Tensor):
            owner[place] = vector(value)
        elif is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in fields(value)]
            owner[place] = {"__type__": type(value).__name__, **dict.fromkeys(names)}
            to_do += [(getattr(value, name), owner[place], name) for name in names]
        else:
            raise TypeError(f"what should become of a {type(value).__name__}?")
    return root[0]


def vector(tensor):
    if len(tensor.shape) != 1:
        raise ValueError(f"{len(tensor.shape)} dimensions instead of one")
    array = np.ascontiguousarray(tensor.detach().numpy())
    if array.dtype.name not in NUMPY_NAMES.split():
        raise TypeError(f"a tensor of {tensor.dtype}")
    return {"__type__": "Tensor", "buffer": array.tobytes(), "dtype": f"torch.{array.dtype.name}"}


def deserialize_type(cls_map, data):
    root = [data]
    # Every container is copied on the way down and finished on the way up.
    to_do, to_finish = [(root, 0)], []
    while to_do:
        owner, place = to_do.pop()
        value = owner[place]
        if isinstance(value, list):
            owner[place] = list(value)
            to_do += [(owner[place], index) for index in range(len(value))]
        elif isinstance(value, dict):
            owner[place] = dict(value)
            if value.get("__type__") != "Tensor":
                to_do += [(owner[place], key) for key in value if key != "__type__"]
            if "__type__" in value:
                to_finish.append((owner, place))
    for owner, place in reversed(to_finish):
        parts = owner[place]
        name = parts.pop("__type__")
        if name == "Tensor":
            array = np.frombuffer(parts["buffer"], parts["dtype"].removeprefix("torch."))
            owner[place] = torch.from_numpy(array.copy())
        elif name in cls_map:
            owner[place] = cls_map[name](**parts)
        else:
            raise ValueError(f"there is no {name} here")
    return root[0]
