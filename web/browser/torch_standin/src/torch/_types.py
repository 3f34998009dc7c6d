"""The small values that describe a tensor: its size, its device, its layout."""

from __future__ import annotations

import builtins
import math
from typing import Any

from ._refusal import refuse


class Size(tuple):
    """A tensor's shape."""

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements that this shape has room for."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        added = super().__add__(tuple(other))
        return Size(added)

    def __mul__(self, times: Any) -> Any:
        return Size(super().__mul__(times))


class device:
    """Where a tensor lies. Here that is always the CPU."""

    __slots__ = ("index", "type")

    def __init__(self, type: builtins.str | device = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        if not isinstance(type, str):
            raise TypeError(f"device() takes a name, not {builtins.type(type).__name__}")
        name, colon, number = type.partition(":")
        if name != "cpu":
            refuse(f"the device {type}")
        if colon and not number.isdecimal():
            raise RuntimeError(f"no device is called {type!r}")
        self.type, self.index = name, int(number) if colon else index

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, device):
            return NotImplemented
        return (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))


class _Named:
    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


class layout(_Named):
    """How elements lie in memory. Here always `strided`."""


class memory_format(_Named):
    """In which order a copy lays out its elements."""


for _cls in (Size, device, layout, memory_format):
    _cls.__module__ = "torch"

strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
CPU = device("cpu")


def check_device(given: Any) -> None:
    """Refuse every device but the CPU."""
    if given is not None:
        device(given)
