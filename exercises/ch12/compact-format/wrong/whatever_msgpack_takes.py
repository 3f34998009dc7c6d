# /// wrong
# fails = [
#     "test_refuses_other_types",
#     "test_extensions_are_no_objects",
#     "test_refuses_other_keys",
# ]
# en = """\
# `default` is asked only about what msgpack does not know, and msgpack knows more than may cross: \
# it writes a `bytearray` as bytes, a timestamp, an extension as if it were one of yours, and a \
# tuple as a key, which the receiver cannot use. Who has to decide what may cross?"""
# zh = """\
# 只有 msgpack 不认识的值才会问到 `default`，而它认识的比可以传送的多：`bytearray` 写成字节，时间戳\
# 照写，别人的扩展也写得和你自己的一样，元组还能当键，接收方却用不了。什么可以传送，应当由谁决定？"""
# ///
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import msgpack
import torch

TENSOR = 100


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
    def other(value: Any) -> msgpack.ExtType:
        if isinstance(value, torch.Tensor):
            return msgpack.ExtType(TENSOR, to_bytes(tensor_parts(value), classes))
        if type(value) in classes:
            values = [getattr(value, f.name) for f in fields(value)]
            return msgpack.ExtType(classes.index(type(value)), to_bytes(values, classes))
        raise TypeError(f"cannot pack a {type(value).__name__}")

    return msgpack.packb(value, default=other, use_bin_type=True)


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
