# Differs: without numpy. The bytes come from a flat copy seen as `uint8`, the memory of what arrives is
# made by torch and then filled, and the product of the sizes is worked out one division at a time.
from dataclasses import fields, is_dataclass

import torch

NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
DTYPES = {"torch." + name: getattr(torch, name) for name in NAMES}


def serialize_type(obj):
    match obj:
        case None | bool() | int() | float() | str() | bytes():
            return obj
        case list() | tuple():
            return [serialize_type(item) for item in obj]
        case dict():
            return {key: serialize_type(value) for key, value in obj.items()}
        case torch.Tensor():
            flat = torch.empty(obj.shape, dtype=obj.dtype).copy_(obj.detach()).flatten()
            return {
                "__type__": "Tensor",
                "buffer": bytes(flat.view(torch.uint8).tolist()),
                "dtype": str(obj.dtype),
                "shape": [int(size) for size in obj.shape],
            }
    if isinstance(obj, type) or not is_dataclass(obj):
        raise TypeError(f"cannot send {obj!r}")
    parts = [(field.name, serialize_type(getattr(obj, field.name))) for field in fields(obj)]
    return dict([("__type__", type(obj).__name__), *parts])


def deserialize_type(cls_map, data):
    match data:
        case list():
            return [deserialize_type(cls_map, item) for item in data]
        case {"__type__": "Tensor", "buffer": buffer, "dtype": name, "shape": shape}:
            return tensor_of(buffer, DTYPES[name], shape)
        case {"__type__": name, **rest}:
            parts = {key: deserialize_type(cls_map, value) for key, value in rest.items()}
            return cls_map[name](**parts)
        case dict():
            return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    return data


def tensor_of(buffer, dtype, shape):
    left = len(buffer)
    if min(shape, default=0) < 0:
        raise ValueError(f"a size below zero in {shape}")
    if 0 in shape:
        rest = left
    else:
        rest = left % dtype.itemsize
        left //= dtype.itemsize
        for size in shape:
            rest += left % size
            left //= size
        rest += left != 1
    if rest:
        raise ValueError(f"the shape {shape} does not fit {len(buffer)} bytes")
    tensor = torch.empty(shape, dtype=dtype)
    tensor.reshape(-1).view(torch.uint8).copy_(torch.tensor(list(buffer), dtype=torch.uint8))
    return tensor
