"""Reads the structure of a frame: the part of msgpack that the encoder writes, and no more.

Why not msgpack's own reader: it reserves memory for as many items as a list claims to have before it
has seen one, so a few bytes of nested claims cost gigabytes. Here an item costs what it takes, and
depth and number are limited while reading.
"""

from __future__ import annotations

import struct
from typing import Any

from judge.wire.limits import MAX_DEPTH, MAX_NODES
from judge.wire.plain import WireError

# The tree's depth is in lists within lists; the frame adds one around it.
MAX_LISTS = MAX_DEPTH + 3
# Tags, counts and sizes are nodes of the structure, too.
MAX_ITEMS = 4 * MAX_NODES

_NUMBERS = {
    0xCA: struct.Struct(">f"), 0xCB: struct.Struct(">d"),
    0xCC: struct.Struct(">B"), 0xCD: struct.Struct(">H"),
    0xCE: struct.Struct(">I"), 0xCF: struct.Struct(">Q"),
    0xD0: struct.Struct(">b"), 0xD1: struct.Struct(">h"),
    0xD2: struct.Struct(">i"), 0xD3: struct.Struct(">q"),
}  # fmt: skip
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_LENGTHS = {1: struct.Struct(">B"), 2: struct.Struct(">H"), 4: struct.Struct(">I")}
_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4}
_STRINGS = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_LISTS = {0xDC: 2, 0xDD: 4}


def parse(data: bytes) -> Any:
    """The one value in `data`. Raises `WireError` for anything else."""
    parser = _Parser(data)
    try:
        value = parser.item(0)
    except (IndexError, struct.error):
        raise WireError("the structure ends early") from None
    if parser.position != len(data):
        raise WireError("bytes after the structure")
    return value


class _Parser:
    def __init__(self, data: bytes) -> None:
        self.position = 0
        self._data = data
        self._items = 0

    def item(self, depth: int) -> Any:
        self._items += 1
        if self._items > MAX_ITEMS or depth > MAX_LISTS:
            raise WireError("too many values or too deep")
        first = self._data[self.position]
        self.position += 1
        if first < 0x80:
            return first
        if first >= 0xE0:
            return first - 0x100
        if 0x90 <= first < 0xA0:
            return [self.item(depth + 1) for _ in range(first & 0x0F)]
        if 0xA0 <= first < 0xC0:
            return self._string(first & 0x1F)
        if first in _CONSTANTS:
            return _CONSTANTS[first]
        if first in _NUMBERS:
            return self._number(_NUMBERS[first])
        if first in _BYTES:
            return self._take(self._length(_BYTES[first]))
        if first in _STRINGS:
            return self._string(self._length(_STRINGS[first]))
        if first in _LISTS:
            return [self.item(depth + 1) for _ in range(self._length(_LISTS[first]))]
        raise WireError(f"unexpected byte 0x{first:02x}")

    def _number(self, form: struct.Struct) -> int | float:
        (value,) = form.unpack_from(self._data, self.position)
        self.position += form.size
        return value

    def _length(self, size: int) -> int:
        length = self._number(_LENGTHS[size])
        if length > len(self._data) - self.position:
            raise WireError("the structure ends early")
        return int(length)

    def _take(self, length: int) -> bytes:
        end = self.position + length
        if end > len(self._data):
            raise WireError("the structure ends early")
        taken = self._data[self.position : end]
        self.position = end
        return taken

    def _string(self, length: int) -> str:
        try:
            return self._take(length).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise WireError("a string that is not UTF-8") from None
