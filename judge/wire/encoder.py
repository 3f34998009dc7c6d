"""From a value to a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

# The function itself: in the examinee, learners may replace what their `msgpack` holds.
from msgpack import packb

from judge.wire.frames import HEADER
from judge.wire.limits import (
    MAX_ATTACHMENTS,
    MAX_DEPTH,
    MAX_INTEGER_BYTES,
    MAX_NODES,
    MAX_ODD_KEYS,
    MAX_STRUCTURE,
    MSGPACK_INTEGERS,
    is_plain_key,
)
from judge.wire.plain import (
    DTYPE_NAMES,
    NotPlainData,
    field_names,
    is_record_type,
    tensor_bytes,
    type_name,
)

_INLINE_BYTES = 64
_INLINE_STRING = 1024


class Encoder:
    """Turns one value into a frame. `on_class` is told of every dataclass type that is met."""

    def __init__(
        self, *, keep_layout: bool = False, on_class: Callable[[type], None] | None = None
    ) -> None:
        self._keep_layout = keep_layout
        self._on_class = on_class
        self._attachments: list[bytes] = []
        self._nodes = 0

    def encode(self, value: Any) -> bytes:
        """The frame's bytes. Raises `NotPlainData` for a type that does not cross or a broken limit."""
        tree = self._tree(value, "", 0)
        sizes = [len(a) for a in self._attachments]
        structure = packb([tree, sizes], unicode_errors="surrogatepass")
        if len(structure) > MAX_STRUCTURE:
            raise NotPlainData("", f"too many values ({len(structure):,} bytes of structure)")
        if sum(sizes) > MAX_ATTACHMENTS:
            raise NotPlainData(
                "", f"too large ({sum(sizes):,} bytes; the limit is {MAX_ATTACHMENTS:,})"
            )
        return b"".join([HEADER.pack(len(structure), sum(sizes)), structure, *self._attachments])

    def _attach(self, data: bytes) -> int:
        self._attachments.append(data)
        return len(self._attachments) - 1

    def _tree(self, value: Any, where: str, depth: int) -> Any:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise NotPlainData("", f"too many values (more than {MAX_NODES:,})")
        if depth > MAX_DEPTH:
            raise NotPlainData(where[:60] + "…", f"nested deeper than {MAX_DEPTH} levels")
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            return value if value in MSGPACK_INTEGERS else self._integer(value, where)
        if kind is str:
            if len(value) <= _INLINE_STRING:
                return value
            return ["s", self._attach(value.encode("utf-8", "surrogatepass"))]
        if kind is bytes:
            return value if len(value) <= _INLINE_BYTES else ["b", self._attach(value)]
        if kind is list or kind is tuple:
            items = [self._tree(v, f"{where}[{i}]", depth + 1) for i, v in enumerate(value)]
            return ["l" if kind is list else "t", *items]
        if kind is dict:
            flat: list[Any] = ["d"]
            for key, item in value.items():
                if len(value) > MAX_ODD_KEYS and not is_plain_key(key):
                    raise NotPlainData(where, f"too many keys of type {type_name(type(key))}")
                flat.append(self._tree(key, f"{where} key {str(key)[:40]!r}", depth + 1))
                flat.append(self._tree(item, f"{where}[{_short(key)}]", depth + 1))
            return flat
        if kind is torch.Tensor:
            return self._tensor(value, where)
        if kind is torch.dtype and value in DTYPE_NAMES:
            return ["y", DTYPE_NAMES[value]]
        if is_record_type(kind):
            values = [
                self._tree(getattr(value, n), f"{where}.{n}", depth + 1) for n in field_names(kind)
            ]
            return ["r", self._class(kind), *values]
        if is_record_type(value):
            return self._class(value)
        raise NotPlainData(where, f"a value of type {type_name(kind)} is not plain data")

    def _integer(self, value: int, where: str) -> list[Any]:
        size = value.bit_length() // 8 + 1
        if size > MAX_INTEGER_BYTES:
            raise NotPlainData(where, f"an integer of {value.bit_length():,} bits is too large")
        return ["i", value.to_bytes(size, "little", signed=True)]

    def _class(self, cls: type) -> list[Any]:
        if self._on_class is not None:
            self._on_class(cls)
        return ["c", cls.__module__, cls.__qualname__, *field_names(cls)]

    def _tensor(self, tensor: torch.Tensor, where: str) -> list[Any]:
        if tensor.layout is not torch.strided or tensor.device.type != "cpu":
            raise NotPlainData(
                where, f"a {tensor.layout} tensor on {tensor.device} is not plain data"
            )
        if tensor.dtype not in DTYPE_NAMES:
            raise NotPlainData(where, f"a tensor of {tensor.dtype} is not plain data")
        if tensor.numel() * tensor.element_size() > MAX_ATTACHMENTS:
            raise NotPlainData(where, f"a tensor of shape {list(tensor.shape)} is too large")
        layout = None
        if self._keep_layout:
            strides = None if tensor.is_contiguous() else list(tensor.stride())
            layout = [strides, tensor.requires_grad]
        raw = self._attach(tensor_bytes(tensor))
        return ["T", DTYPE_NAMES[tensor.dtype], list(tensor.shape), raw, layout]


def _short(key: Any) -> str:
    return repr(key)[:40] if isinstance(key, (str, int, float, bool, bytes)) else type(key).__name__
