# Differs: a function per type, chosen by `functools.singledispatch`. Tensors go through torch alone, by
# way of their bytes as `uint8`, and come back in memory that torch has made.
import dataclasses
from functools import singledispatch

import torch

KNOWN = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
KNOWN += [torch.float16, torch.float32, torch.float64]


@singledispatch
def serialize_type(obj):
    if isinstance(obj, type) or not dataclasses.is_dataclass(obj):
        raise TypeError(f"{type(obj)} is neither plain nor a dataclass")
    names = [field.name for field in dataclasses.fields(obj)]
    return {"__type__": type(obj).__name__} | {n: serialize_type(getattr(obj, n)) for n in names}


@serialize_type.register(type(None))
@serialize_type.register(bool)
@serialize_type.register(int)
@serialize_type.register(float)
@serialize_type.register(str)
@serialize_type.register(bytes)
def _(obj):
    return obj


@serialize_type.register(list)
@serialize_type.register(tuple)
def _(obj):
    return list(map(serialize_type, obj))


@serialize_type.register
def _(obj: dict):
    return dict(zip(obj.keys(), map(serialize_type, obj.values()), strict=True))


@serialize_type.register
def _(obj: torch.Tensor):
    if obj.ndim != 1 or obj.dtype not in KNOWN:
        raise ValueError(f"no vector of a known dtype: {obj.dtype}, {list(obj.shape)}")
    values = torch.empty(len(obj), dtype=obj.dtype).copy_(obj.detach()).view(torch.uint8)
    return {"__type__": "Tensor", "buffer": bytes(values.tolist()), "dtype": repr(obj.dtype)}


def deserialize_type(cls_map, data):
    match data:
        case list():
            return [deserialize_type(cls_map, item) for item in data]
        case {"__type__": "Tensor", "buffer": buffer, "dtype": name}:
            (dtype,) = (known for known in KNOWN if repr(known) == name)
            return torch.tensor(list(buffer), dtype=torch.uint8).view(dtype)
        case {"__type__": name, **values}:
            if name not in cls_map:
                raise KeyError(name)
            return cls_map[name](**{k: deserialize_type(cls_map, v) for k, v in values.items()})
        case dict():
            return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    return data
