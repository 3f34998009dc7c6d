# /// wrong
# fails = ["test_single_values_of_odd_stride"]
# en = """\
# A tensor of a single value is contiguous in torch's eyes whatever its stride is, so \
# `contiguous()` hands back the same tensor. `view` then looks at the stride and refuses. A \
# copy with plain strides needs `clone(memory_format=torch.contiguous_format)`."""
# zh = """\
# 只有一个值的张量，不管步幅是多少，在 torch 看来都是连续的，所以 `contiguous()` 交回的还是它自\
# 己。接着 `view` 看到步幅，就拒绝了。要得到步幅普通的副本，得用 \
# `clone(memory_format=torch.contiguous_format)`。"""
# ///
import math
from dataclasses import fields, is_dataclass

import numpy as np
import torch

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bfloat16", "float16", "float32", "float64",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
    "complex32", "complex64", "complex128",
)  # fmt: skip
DTYPES = {f"torch.{name}": getattr(torch, name) for name in NAMES if hasattr(torch, name)}


def serialize_type(obj):
    if obj is None or isinstance(obj, (bool, int, float, str, bytes)):
        return obj
    if isinstance(obj, (list, tuple)):
        return [serialize_type(item) for item in obj]
    if isinstance(obj, dict):
        return {key: serialize_type(value) for key, value in obj.items()}
    if isinstance(obj, torch.Tensor):
        return serialize_tensor(obj)
    if is_dataclass(obj) and not isinstance(obj, type):
        data = {"__type__": type(obj).__name__}
        for field in fields(obj):
            data[field.name] = serialize_type(getattr(obj, field.name))
        return data
    raise TypeError(f"cannot send a value of type {type(obj).__name__}")


def serialize_tensor(tensor):
    if tensor.layout != torch.strided or tensor.device.type != "cpu":
        raise TypeError(f"cannot send a tensor of {tensor.layout} on {tensor.device}")
    if str(tensor.dtype) not in DTYPES:
        raise TypeError(f"cannot send a tensor of {tensor.dtype}")
    values = tensor.detach().resolve_conj().resolve_neg().reshape(-1).contiguous()
    return {
        "__type__": "Tensor",
        "buffer": values.view(torch.uint8).numpy().tobytes(),
        "dtype": str(tensor.dtype),
        "shape": list(tensor.shape),
    }


def deserialize_type(cls_map, data):
    if isinstance(data, list):
        return [deserialize_type(cls_map, item) for item in data]
    if not isinstance(data, dict):
        return data
    if "__type__" not in data:
        return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    name = data["__type__"]
    if name == "Tensor":
        return deserialize_tensor(data)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)


def deserialize_tensor(data):
    if data["dtype"] not in DTYPES:
        raise ValueError(f"unknown dtype {data['dtype']!r}")
    dtype, buffer, shape = DTYPES[data["dtype"]], data["buffer"], data["shape"]
    if any(size < 0 for size in shape) or math.prod(shape) * dtype.itemsize != len(buffer):
        raise ValueError(f"{len(buffer)} bytes do not fit the shape {shape}")
    return torch.tensor(np.frombuffer(buffer, np.uint8)).view(dtype).reshape(shape)
