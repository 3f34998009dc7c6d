# /// wrong
# fails = ["test_lists_stay_lists"]
# en = """\
# An object is written as a list with a mark in front. But a list of the user's may begin with \
# the same mark, and then it is taken for an object, or for nonsense. However odd the mark, it \
# is a value like any other. How can objects be written so that no list can look like one?"""
# zh = """\
# 对象被写成一个列表，最前面放一个标记。但用户的列表也可能以同样的标记开头，于是被当成对象，或者\
# 无法解读。标记再古怪，也只是一个普通的值。怎样写对象，才能让任何列表都不会看起来像它？"""
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
        return ["@", TENSOR, *tensor_parts(value)]
    if kind in classes:
        values = [lowered(getattr(value, f.name), classes) for f in fields(value)]
        return ["@", classes.index(kind), *values]
    raise TypeError(f"cannot pack a {kind.__name__}")


def plain_key(key: Any) -> Any:
    if type(key) not in PLAIN:
        raise TypeError(f"cannot pack a {type(key).__name__} as a key")
    return key


def from_bytes(data: bytes, classes: Sequence[type]) -> Any:
    def restore(values: list[Any]) -> Any:
        if values[:1] != ["@"]:
            return values
        _, code, *values = values
        return tensor(*values) if code == TENSOR else classes[code](*values)

    return msgpack.unpackb(data, list_hook=restore, raw=False, strict_map_key=False)


def tensor_parts(value: torch.Tensor) -> list[Any]:
    values = value.detach().resolve_conj().resolve_neg()
    flat = values.clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8)
    return [str(value.dtype), list(value.shape), bytes(flat.tolist())]


def tensor(dtype: str, shape: list[int], buffer: bytes) -> torch.Tensor:
    flat = torch.tensor(list(buffer), dtype=torch.uint8)
    return flat.view(getattr(torch, dtype.removeprefix("torch."))).reshape(shape)
