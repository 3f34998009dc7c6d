# /// wrong
# fails = ["test_the_same_in_every_process"]
# en = """\
# The names go through Python's `hash`. For text it mixes in a number that each Python draws when \
# it starts, so a message from a process that was started by itself is refused, though both have \
# the same classes. What gives the same number for the same bytes everywhere?"""
# zh = """\
# 名字交给了 Python 的 `hash`。对文本，它会掺进一个数，而每个 Python 启动时都重新抽取这个数。所以，\
# 单独启动的进程发来的消息会被拒绝，尽管双方的类完全一样。什么算法在任何地方对同样的字节都给出同样\
# 的结果？"""
# ///
from __future__ import annotations

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
    names = tuple((cls.__name__, *(f.name for f in fields(cls))) for cls in classes)
    return (hash(names) % 2**32).to_bytes(4, "big")


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
