# /// wrong
# fails = ["test_many_small_messages_fit"]
# en = """\
# The field names are gone, but each object still begins with the name of its class. One \
# message hides this; a batch of a hundred small ones pays a hundred times. The list of \
# classes is the same on both sides. What shorter thing stands for a class then?"""
# zh = """\
# 字段名去掉了，但每个对象还是以类名开头。只看一条消息不明显；一批一百条小消息，就要付一百次代\
# 价。双方的类列表是一样的。那么，用什么更短的东西就能代表一个类？"""
# ///
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import msgpack
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
        return msgpack.ExtType(1, to_bytes([kind.__name__, *values], classes))
    raise TypeError(f"cannot pack a {kind.__name__}")


def plain_key(key: Any) -> Any:
    if type(key) not in PLAIN:
        raise TypeError(f"cannot pack a {type(key).__name__} as a key")
    return key


def from_bytes(data: bytes, classes: Sequence[type]) -> Any:
    def restore(code: int, body: bytes) -> Any:
        values = from_bytes(body, classes)
        if code == TENSOR:
            return tensor(*values)
        cls = next(cls for cls in classes if cls.__name__ == values[0])
        return cls(*values[1:])

    return msgpack.unpackb(data, ext_hook=restore, raw=False, strict_map_key=False)


def tensor_parts(value: torch.Tensor) -> list[Any]:
    values = value.detach().resolve_conj().resolve_neg()
    flat = values.clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8)
    return [str(value.dtype), list(value.shape), bytes(flat.tolist())]


def tensor(dtype: str, shape: list[int], buffer: bytes) -> torch.Tensor:
    flat = torch.tensor(list(buffer), dtype=torch.uint8)
    return flat.view(getattr(torch, dtype.removeprefix("torch."))).reshape(shape)
