# /// wrong
# fails = ["test_hardly_any_difference_is_overlooked"]
# en = """\
# The fingerprint has one byte, so it has 256 values. Of all the changes that somebody makes to a \
# class, one in 256 gives the same value as before, and is overlooked. Each byte more makes that \
# 256 times as rare. What do three more bytes cost a message, and what do they save?"""
# zh = """\
# 指纹只有一个字节，也就只有 256 种值。无论怎样改动一个类，每 256 种改法就有一种得到和原来一样的值，\
# 于是没有被发现。每多一个字节，这种情况就少到原来的 1/256。多放三个字节，一条消息要付出多少，又能避\
# 免多少？"""
# ///
from __future__ import annotations

import zlib
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
    return bytes([zlib.crc32(text.encode()) % 256])


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
    values = value.detach().resolve_conj().resolve_neg()
    flat = values.clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8)
    return [str(value.dtype), list(value.shape), bytes(flat.tolist())]


def tensor(dtype: str, shape: list[int], buffer: bytes) -> torch.Tensor:
    flat = torch.tensor(list(buffer), dtype=torch.uint8)
    return flat.view(getattr(torch, dtype.removeprefix("torch."))).reshape(shape)
