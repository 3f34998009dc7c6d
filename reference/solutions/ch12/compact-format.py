"""A compact format: values by position; names only in a fingerprint that both sides compare."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Any

import msgpack
import numpy as np
import torch

_FINGERPRINT_SIZE = 8
_TENSOR = 127  # msgpack's extension codes go from 0 to 127; the lower ones are the classes
_PRIMITIVES = (type(None), bool, int, float, str, bytes)


def pack(message: Any, classes: Sequence[type]) -> bytes:
    """The fingerprint of `classes`, then the message.

    An object becomes a msgpack extension: its code is the position of its class, its body the
    list of its values. So it can never be mistaken for a list, whatever the list contains.
    """
    codes = {cls: code for code, cls in enumerate(classes)}

    # msgpack is not asked what it knows: it also writes a bytearray, a timestamp, an extension that
    # stands in the message, and a tuple as a key, and none of these would come back as it was.
    def lower(value: Any) -> Any:
        kind = type(value)
        if kind in _PRIMITIVES:
            return value
        if kind in (list, tuple):
            return [lower(item) for item in value]
        if kind is dict:
            return {_checked_key(key): lower(item) for key, item in value.items()}
        if isinstance(value, torch.Tensor):
            return msgpack.ExtType(_TENSOR, msgpack.packb(_tensor_parts(value)))
        if kind in codes:
            values = [lower(getattr(value, field.name)) for field in fields(value)]
            return msgpack.ExtType(codes[kind], msgpack.packb(values))
        raise TypeError(f"a value of type {kind.__name__} cannot be packed")

    return _fingerprint(classes) + msgpack.packb(lower(message))


def _checked_key(key: Any) -> Any:
    if type(key) not in _PRIMITIVES:
        raise TypeError(f"a {type(key).__name__} cannot be packed as a key")
    return key


def unpack(data: bytes, classes: Sequence[type]) -> Any:
    """The message in `data`; ValueError for other classes than the sender's and for other bytes."""
    if data[:_FINGERPRINT_SIZE] != _fingerprint(classes):
        raise ValueError("the sender's classes or fields differ from those of this side")

    def restore(code: int, body: bytes) -> Any:
        values = unpackb(body)
        return _tensor(*values) if code == _TENSOR else classes[code](*values)

    unpackb = partial(msgpack.unpackb, ext_hook=restore, raw=False, strict_map_key=False)
    return unpackb(data[_FINGERPRINT_SIZE:])


def _fingerprint(classes: Sequence[type]) -> bytes:
    # Packed and not joined: where one name ends and the next begins must count as well. And not
    # Python's `hash`, which is another one in every process.
    schema = [[cls.__name__, *(field.name for field in fields(cls))] for cls in classes]
    return hashlib.sha256(msgpack.packb(schema)).digest()[:_FINGERPRINT_SIZE]


def _tensor_parts(tensor: torch.Tensor) -> list[Any]:
    values = tensor.detach().resolve_conj().resolve_neg().cpu()
    # A copy in reading order; then as bytes, because numpy has no bfloat16.
    values = values.clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8)
    name = str(tensor.dtype).removeprefix("torch.")
    return [name, list(tensor.shape), values.numpy().tobytes()]


def _tensor(name: str, shape: list[int], buffer: bytes) -> torch.Tensor:
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise ValueError(f"there is no dtype {name}")
    # `torch.tensor` copies, so the result owns memory that it may write to.
    return torch.tensor(np.frombuffer(buffer, np.uint8)).view(dtype).reshape(shape)
