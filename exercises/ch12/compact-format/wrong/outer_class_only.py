# /// wrong
# fails = [
#     "test_refuses_a_changed_class_inside",
#     "test_refuses_a_changed_class_that_is_not_used",
#     "test_refuses_another_number_of_classes",
#     "test_hardly_any_difference_is_overlooked",
# ]
# en = """\
# Only the class of the message itself is checked. But objects hold other objects, and a batch \
# holds little else: what has changed inside is read by position all the same, and lands in \
# the wrong fields. Which classes can occur in a message, and who knows them all?"""
# zh = """\
# 代码只核对了消息本身的类。可是对象里还有别的对象，一个批次里装的更几乎全是别的对象：里面的类\
# 变了，值照样按位置读取，就落到错误的字段里。一条消息里可能出现哪些类？谁知道全部？"""
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
    number = classes.index(type(message))
    return bytes([number]) + fingerprint([type(message)]) + to_bytes(message, classes)


def unpack(data: bytes, classes: Sequence[type]) -> Any:
    if not data or data[0] >= len(classes):
        raise ValueError("no class of this side")
    expected = fingerprint([classes[data[0]]])
    if data[1 : 1 + len(expected)] != expected:
        raise ValueError("the two sides do not have the same class")
    return from_bytes(data[1 + len(expected) :], classes)


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
    values = value.detach().resolve_conj().resolve_neg()
    flat = values.clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8)
    return [str(value.dtype), list(value.shape), bytes(flat.tolist())]


def tensor(dtype: str, shape: list[int], buffer: bytes) -> torch.Tensor:
    flat = torch.tensor(list(buffer), dtype=torch.uint8)
    return flat.view(getattr(torch, dtype.removeprefix("torch."))).reshape(shape)
