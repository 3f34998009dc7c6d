# Differs: the values are copied into a new flat tensor. What arrives lies on a bytearray, and an empty
# tensor has a case of its own. What torch refuses becomes a TypeError; the dtypes are put together.
import math
from dataclasses import fields, is_dataclass

import torch

EXACT = ("bool", "int", "float", "str", "bytes", "NoneType")
FAMILIES = {
    "bool": [""],
    "int": ["8", "16", "32", "64"],
    "uint": ["8", "16", "32", "64"],
    "float": ["16", "32", "64", "8_e4m3fn", "8_e4m3fnuz", "8_e5m2", "8_e5m2fnuz", "8_e8m0fnu"],
    "bfloat": ["16"],
    "complex": ["32", "64", "128"],
}


def dtypes():
    for family, ends in FAMILIES.items():
        for end in ends:
            dtype = getattr(torch, family + end, None)
            if dtype is not None:
                yield dtype


def serialize_type(obj):
    if type(obj).__name__ in EXACT:
        return obj
    if type(obj) in (list, tuple):
        return list(map(serialize_type, obj))
    if type(obj) is dict:
        return dict(zip(obj, map(serialize_type, obj.values()), strict=True))
    if isinstance(obj, torch.Tensor):
        return {
            "shape": [int(size) for size in obj.size()],
            "dtype": repr(obj.dtype),
            "buffer": raw_bytes(obj),
            "__type__": "Tensor",
        }
    if is_dataclass(obj) and not isinstance(obj, type):
        return {
            "__type__": type(obj).__name__,
            **{field.name: serialize_type(getattr(obj, field.name)) for field in fields(obj)},
        }
    raise TypeError(type(obj).__name__)


def raw_bytes(tensor):
    if tensor.dtype not in dtypes():
        raise TypeError(f"no way to send {tensor.dtype}")
    with torch.no_grad():
        try:
            flat = tensor.resolve_conj().resolve_neg().reshape([tensor.numel()])
            # As a new tensor with plain strides, whatever those of a single value were.
            copied = torch.empty(flat.shape, dtype=tensor.dtype).copy_(flat)
            return copied.view(torch.uint8).numpy().tobytes()
        except (RuntimeError, NotImplementedError) as error:
            raise TypeError(f"no plain memory: {error}") from error


def deserialize_type(cls_map, data):
    if isinstance(data, list):
        return [deserialize_type(cls_map, item) for item in data]
    if not isinstance(data, dict):
        return data
    parts = dict(data)
    name = parts.pop("__type__", None)
    if name == "Tensor":
        return tensor_of(parts)
    parts = {key: deserialize_type(cls_map, value) for key, value in parts.items()}
    if name is None:
        return parts
    try:
        cls = cls_map[name]
    except KeyError:
        raise ValueError(f"nobody told me about {name}") from None
    return cls(**parts)


def tensor_of(parts):
    shape, raw = parts["shape"], parts["buffer"]
    dtype = next((known for known in dtypes() if str(known) == parts["dtype"]), None)
    if dtype is None:
        raise ValueError(f"torch {torch.__version__} has no dtype {parts['dtype']}")
    count = math.prod(shape)
    if [size for size in shape if size < 0] or count * dtype.itemsize - len(raw):
        raise ValueError(f"{count} values of {dtype} cannot have {len(raw)} bytes")
    if count == 0:
        return torch.zeros(*shape, dtype=torch.uint8).to(dtype)
    return torch.frombuffer(bytearray(raw), dtype=dtype, count=count).reshape(shape)
