# Differs: a tensor is seen as whole numbers of the size of its values, which numpy can flatten whatever
# their strides. What arrives is copied into memory that torch has made.
import dataclasses
import math
from functools import singledispatch

import numpy as np
import torch

WHOLE = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
KNOWN = {}
for group in (
    ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    ["float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128"],
    ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"],
):
    for each in group:
        if isinstance(getattr(torch, each, None), torch.dtype):
            KNOWN["torch." + each] = getattr(torch, each)


@singledispatch
def serialize_type(obj):
    if not dataclasses.is_dataclass(obj) or isinstance(obj, type):
        raise TypeError(f"{type(obj).__name__} is not to be sent")
    parts = {f.name: serialize_type(getattr(obj, f.name)) for f in dataclasses.fields(obj)}
    return {"__type__": type(obj).__name__} | parts


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
    return [serialize_type(item) for item in obj]


@serialize_type.register
def _(obj: dict):
    return {key: serialize_type(value) for key, value in obj.items()}


@serialize_type.register
def _(obj: torch.Tensor):
    if obj.is_sparse or obj.layout is not torch.strided or obj.is_meta:
        raise TypeError("this tensor has no plain memory")
    if str(obj.dtype) not in KNOWN:
        raise TypeError(f"a tensor of {obj.dtype} is not to be sent")
    values = obj.detach().resolve_conj().resolve_neg()
    if values.dtype.itemsize == 16:
        raw = values.numpy().tobytes()
    else:
        raw = values.view(WHOLE[values.dtype.itemsize]).numpy().tobytes()
    return dict(__type__="Tensor", buffer=raw, dtype=str(obj.dtype), shape=[*obj.shape])


def deserialize_type(cls_map, data):
    match data:
        case list():
            return [deserialize_type(cls_map, item) for item in data]
        case {"__type__": "Tensor"}:
            if data["dtype"] not in KNOWN:
                raise ValueError(f"a tensor of {data['dtype']}, which is not known here")
            return restore(KNOWN[data["dtype"]], data["shape"], data["buffer"])
        case {"__type__": name}:
            if name not in cls_map:
                raise KeyError(name)
            made = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
            return cls_map[name](**made)
        case dict():
            return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    return data


def restore(dtype, shape, raw):
    if min(shape, default=0) < 0 or len(raw) != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"the shape {shape} does not fit {len(raw)} bytes of {dtype}")
    tensor = torch.empty(shape, dtype=dtype)
    memory = tensor.reshape(-1).view(torch.uint8)
    memory.copy_(torch.from_numpy(np.frombuffer(raw, dtype=np.uint8).copy()))
    return tensor
