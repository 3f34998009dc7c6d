# /// wrong
# fails = ["test_every_kind_of_tensor", "test_views_and_gradients", "test_odd_views"]
# en = """\
# Tensors go through numpy. It has no bfloat16, which is the usual type of a model's weights, \
# and a tensor that records gradients refuses to become an array. Raw bytes need neither: how \
# can torch show any tensor as bytes, and what has to be taken off before?"""
# zh = """\
# 张量经过了 numpy。numpy 没有 bfloat16，而它正是模型权重常用的类型；记录梯度的张量也不肯变成\
# 数组。其实原始字节两者都不需要：torch 怎样把任何张量看作字节？在那之前要先去掉什么？"""
# ///
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import msgpack
import numpy as np
import torch

TENSOR = 100
PLAIN = (type(None), bool, int, float, str, bytes)


def pack(message: Any, classes: Sequence[type]) -> bytes:
    return fingerprint(classes) + to_bytes(message, classes)


def unpack(data: bytes, classes: Sequence[type]) -> Any:
    expected = fingerprint(classes)
    if data[: len(expected)] != expected:
        raise ValueError("the two sides do not have the same classes")
    return from_bytes(data[len(expected) :], classes)


def fingerprint(classes: Sequence[type]) -> bytes:
    text = repr([(cls.__name__, [f.name for f in fields(cls)]) for cls in classes])
    return hashlib.sha256(text.encode()).digest()[:4]


def to_bytes(value: Any, classes: Sequence[type]) -> bytes:
    return msgpack.packb(lowered(value, classes), use_bin_type=True)


def lowered(value: Any, classes: Sequence[type]) -> Any:
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind in (list, tuple):
        return [lowered(item, classes) for item in value]
    if kind is dict:
        return {plain_key(key): lowered(item, classes) for key, item in value.items()}
    if isinstance(value, torch.Tensor):
        return msgpack.ExtType(TENSOR, to_bytes(tensor_parts(value), classes))
    if kind in classes:
        values = [getattr(value, f.name) for f in fields(value)]
        return msgpack.ExtType(classes.index(kind), to_bytes(values, classes))
    raise TypeError(f"cannot pack a {kind.__name__}")


def plain_key(key: Any) -> Any:
    if type(key) not in PLAIN:
        raise TypeError(f"cannot pack a {type(key).__name__} as a key")
    return key


def from_bytes(data: bytes, classes: Sequence[type]) -> Any:
    def restore(code: int, body: bytes) -> Any:
        values = from_bytes(body, classes)
        return tensor(*values) if code == TENSOR else classes[code](*values)

    return msgpack.unpackb(data, ext_hook=restore, raw=False, strict_map_key=False)


def tensor_parts(value: torch.Tensor) -> list[Any]:
    array = value.numpy()
    return [str(array.dtype), list(array.shape), array.tobytes()]


def tensor(dtype: str, shape: list[int], buffer: bytes) -> torch.Tensor:
    return torch.from_numpy(np.frombuffer(buffer, dtype).reshape(shape).copy())
