# /// wrong
# fails = ["test_views_and_gradients", "test_odd_views"]
# en = """\
# The bytes are taken as they lie in memory. A view such as a transpose or every second row \
# shares the memory of another tensor: its values lie there in another order, with others \
# between them. In which order do the values of a tensor have to be written, and how do you \
# get them there first?"""
# zh = """\
# 字节是照着内存里的样子取的。转置、隔行取值之类的视图（view）与别的张量共用内存：它的值在那里\
# 的顺序不同，中间还夹着别的值。张量的值应当按什么顺序写出？怎样先把它们排成这个顺序？"""
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
    memory = bytes(value.detach().untyped_storage().tolist())
    start = value.storage_offset() * value.itemsize
    return [str(value.dtype), list(value.shape), memory[start : start + value.nbytes]]


def tensor(dtype: str, shape: list[int], buffer: bytes) -> torch.Tensor:
    flat = torch.tensor(list(buffer), dtype=torch.uint8).clone()
    return flat.view(getattr(torch, dtype.removeprefix("torch."))).reshape(shape)
