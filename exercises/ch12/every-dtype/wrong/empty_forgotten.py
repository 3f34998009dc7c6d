# /// wrong
# fails = [
#     "test_one_value_and_none",
#     "test_empty_tensors",
# ]
# en = """\
# An empty tensor is a tensor too. What works for a full buffer may refuse an empty one: \
# `torch.frombuffer`, and `view(dtype)` of an empty `torch.from_numpy`. Give it a case of its own, \
# or a way on which zero bytes are nothing special."""
# zh = """\
# 空张量也是张量。对有内容的缓冲区管用的办法，遇到空的也许会被拒绝，例如 `torch.frombuffer`，或者\
# 对空的 `torch.from_numpy` 结果调用 `view(dtype)`。给它单独写一种情况，或者换一种零个字节也不特殊的\
# 办法。"""
# ///
import math
from dataclasses import fields, is_dataclass

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
    values = tensor.detach().clone(memory_format=torch.contiguous_format).reshape(-1)
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
    return torch.frombuffer(bytearray(buffer), dtype=dtype).reshape(shape)
