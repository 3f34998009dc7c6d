"""From a frame back to a value. What it reads may come from the learner's side: nothing is trusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from judge.wire.limits import (
    MAX_ATTACHMENTS,
    MAX_DIMENSIONS,
    MAX_INTEGER_BYTES,
    MAX_ODD_KEYS,
    is_plain_key,
)
from judge.wire.plain import DTYPES, ForeignType, Record, WireError, field_names
from judge.wire.structure import parse

ResolveClass = Callable[[str, str, tuple[str, ...]], "type | None"]


class Decoder:
    """Turns frames back into values.

    `resolve_class(module, qualname, field names)` gives the class for a dataclass, or None if this
    side does not know it. Only a side that trusts its peer sets `trusted`, which lets tensors have
    strides and `requires_grad`.
    """

    def __init__(self, resolve_class: ResolveClass, *, trusted: bool = False) -> None:
        self._resolve_class = resolve_class
        self._trusted = trusted

    def decode(self, structure: bytes, attachments: bytes) -> Any:
        """The value. Raises `WireError` for anything that is not exactly what `Encoder` writes."""
        unpacked = parse(structure)
        if type(unpacked) is not list or len(unpacked) != 2 or type(unpacked[1]) is not list:
            raise WireError("not a frame")
        tree, sizes = unpacked
        if any(type(s) is not int or s < 0 for s in sizes) or sum(sizes) != len(attachments):
            raise WireError("attachment sizes do not add up")
        parts, start = [], 0
        for size in sizes:
            parts.append(attachments[start : start + size])
            start += size
        return self._value(tree, parts)

    def _value(self, tree: Any, parts: list[bytes]) -> Any:
        if type(tree) is not list:
            return tree
        if not tree or type(tree[0]) is not str:
            raise WireError("a list without a tag")
        tag, *rest = tree
        if tag == "l":
            return [self._value(v, parts) for v in rest]
        if tag == "t":
            return tuple([self._value(v, parts) for v in rest])
        if tag == "d":
            return self._dict(rest, parts)
        if tag == "s":
            try:
                return _part(rest, parts).decode("utf-8", "surrogatepass")
            except UnicodeDecodeError:
                raise WireError("a string that is not UTF-8") from None
        if tag == "b":
            return _part(rest, parts)
        if tag == "i":
            if len(rest) != 1 or type(rest[0]) is not bytes or len(rest[0]) > MAX_INTEGER_BYTES:
                raise WireError("not an integer")
            return int.from_bytes(rest[0], "little", signed=True)
        if tag == "T":
            return self._tensor(rest, parts)
        if tag == "y":
            if len(rest) != 1 or type(rest[0]) is not str or rest[0] not in DTYPES:
                raise WireError("not a dtype")
            return DTYPES[rest[0]]
        if tag == "c":
            found, name, _ = self._class(rest)
            return found or ForeignType(name)
        if tag == "r":
            return self._record(rest, parts)
        raise WireError("unknown tag")

    def _dict(self, flat: list[Any], parts: list[bytes]) -> dict[Any, Any]:
        if len(flat) % 2:
            raise WireError("a key without a value")
        result = {}
        for i in range(0, len(flat), 2):
            key = self._value(flat[i], parts)
            if len(flat) > 2 * MAX_ODD_KEYS and not is_plain_key(key):
                raise WireError("too many keys of this type")
            try:
                result[key] = self._value(flat[i + 1], parts)
            except TypeError:
                raise WireError(f"a {type(key).__name__} as a key") from None
        return result

    def _class(self, rest: list[Any]) -> tuple[type | None, str, tuple[str, ...]]:
        if len(rest) < 2 or any(type(x) is not str or len(x) > 200 for x in rest):
            raise WireError("not a class")
        module, qualname, *names = rest
        if len(set(names)) != len(names):
            raise WireError("a field twice")
        cls = self._resolve_class(module, qualname, tuple(names))
        if cls is not None and field_names(cls) != tuple(names):
            cls = None
        return cls, f"{module}.{qualname}", tuple(names)

    def _record(self, rest: list[Any], parts: list[bytes]) -> Any:
        head, *trees = rest or [None]
        if type(head) is not list or not head or head[0] != "c":
            raise WireError("a record without a class")
        cls, name, names = self._class(head[1:])
        if len(trees) != len(names):
            raise WireError("fields do not fit the class")
        fields = {n: self._value(t, parts) for n, t in zip(names, trees, strict=True)}
        if cls is None:
            return Record(name, fields)
        # Neither __init__ nor __post_init__ runs: a value that crosses is data and nothing else.
        instance = object.__new__(cls)
        for field, value in fields.items():
            object.__setattr__(instance, field, value)
        return instance

    def _tensor(self, rest: list[Any], parts: list[bytes]) -> torch.Tensor:
        if len(rest) != 4 or type(rest[0]) is not str or rest[0] not in DTYPES:
            raise WireError("not a tensor")
        name, shape, index, layout = rest
        if (
            type(shape) is not list
            or len(shape) > MAX_DIMENSIONS
            or any(type(s) is not int or not 0 <= s <= MAX_ATTACHMENTS for s in shape)
        ):
            raise WireError("not a shape")
        raw, dtype, count = _part([index], parts), DTYPES[name], 1
        for size in shape:
            count *= size
        if count * dtype.itemsize != len(raw):
            raise WireError("the shape does not fit the bytes")
        if count == 0:
            tensor = torch.empty(shape, dtype=dtype)
        else:
            flat = torch.frombuffer(bytearray(raw), dtype=torch.uint8)
            # A forged bool of 2 is undefined behaviour in torch: make it a bool first.
            tensor = (flat != 0 if dtype is torch.bool else flat.view(dtype)).reshape(shape)
        if layout is not None and self._trusted:
            strides, requires_grad = layout
            if strides is not None:
                tensor = _with_strides(tensor, strides)
            tensor.requires_grad_(requires_grad)
        return tensor


def _with_strides(tensor: torch.Tensor, strides: list[int]) -> torch.Tensor:
    """The same values in memory laid out by `strides`; a stride of 0 is an expanded dimension."""
    narrow = tensor
    for dim, (size, stride) in enumerate(zip(tensor.shape, strides, strict=True)):
        if stride == 0 and size > 1:
            narrow = narrow.narrow(dim, 0, 1)
    laid_out = torch.empty_strided(narrow.shape, strides, dtype=tensor.dtype)
    laid_out.copy_(narrow)
    return laid_out.expand(tensor.shape)


def _part(rest: list[Any], parts: list[bytes]) -> bytes:
    if len(rest) != 1 or type(rest[0]) is not int or not 0 <= rest[0] < len(parts):
        raise WireError("no such attachment")
    return parts[rest[0]]
