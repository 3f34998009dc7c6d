# /// wrong
# fails = [
#     "test_refuses_swapped_fields",
#     "test_refuses_a_renamed_field",
#     "test_refuses_another_number_of_fields",
#     "test_refuses_a_renamed_class",
#     "test_refuses_another_order_of_classes",
#     "test_refuses_a_changed_class_inside",
#     "test_refuses_a_changed_class_that_is_not_used",
#     "test_refuses_names_that_are_cut_elsewhere",
#     "test_refuses_another_number_of_classes",
#     "test_hardly_any_difference_is_overlooked",
# ]
# en = """\
# The version is a constant that somebody must remember to change. Nobody remembers always, \
# and then values land in the wrong fields, without any error. What both sides must agree on \
# stands in the class definitions. Could the mark that you compare be computed from them?"""
# zh = """\
# 版本号是个常量，要靠人记得去改。总有忘记的时候，那时值会落到错误的字段里，而且没有任何报错。\
# 双方需要一致的内容，都写在类的定义里。能不能由这些定义算出用来比较的标记？"""
# ///
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import msgpack
import torch

TENSOR = 100
PLAIN = (type(None), bool, int, float, str, bytes)
VERSION = 1  # raise this when a class changes


def pack(message: Any, classes: Sequence[type]) -> bytes:
    return fingerprint(classes) + to_bytes(message, classes)


def unpack(data: bytes, classes: Sequence[type]) -> Any:
    expected = fingerprint(classes)
    if data[: len(expected)] != expected:
        raise ValueError("the two sides do not have the same classes")
    return from_bytes(data[len(expected) :], classes)


def fingerprint(classes: Sequence[type]) -> bytes:
    return VERSION.to_bytes(4, "big")


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
