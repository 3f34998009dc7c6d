# /// wrong
# fails = [
#     "test_bfloat16_becomes_bytes",
#     "test_bfloat16_comes_back",
#     "test_one_value_and_none",
#     "test_transposed_bfloat16",
#     "test_gradient_stays_here",
#     "test_truth_values",
#     "test_whole_numbers",
#     "test_floats",
#     "test_float8",
#     "test_complex_numbers",
#     "test_every_nan",
#     "test_single_values",
#     "test_empty_tensors",
#     "test_views",
#     "test_many_values",
#     "test_single_values_of_odd_stride",
#     "test_slices",
#     "test_conjugated_views",
#     "test_gradients",
#     "test_snapshot",
#     "test_other_values_stay",
# ]
# en = """\
# The buffer in your dict is no `bytes`, but a look at the tensor's own memory. Whoever writes \
# to the tensor before the message has left changes the message, too. `tobytes()` makes the \
# copy that was agreed."""
# zh = """\
# 字典里的缓冲区不是 `bytes`，而是直接指向张量自己的内存。消息还没发出时，谁往张量里写，消息也就\
# 变了。`tobytes()` 才会得到约定的副本。"""
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
    values = tensor.detach().resolve_conj().resolve_neg().reshape(-1)
    if values.numel() < 2:
        values = values.clone(memory_format=torch.contiguous_format)
    return {
        "__type__": "Tensor",
        "buffer": memoryview(values.view(torch.uint8).numpy()),
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
