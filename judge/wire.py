"""Values across the boundary between examiner and examinee: by value, exact types, hard limits; no pickle.

A frame is an 8-byte header (two little-endian uint32: bytes of structure, bytes of attachments), the
structure (msgpack: `[tree, attachment sizes]`) and the attachments, one after the other. Scalars stand
in the tree as they are; everything else is a list that starts with a tag. Long strings, bytes and
tensors are attachments. The structure is capped at half a mebibyte because msgpack can turn one byte
into a 64-byte object before anybody looks at it: the cap bounds what a hostile frame can cost.

This room knows nothing of tests or learners, and never builds an object by calling its class.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable
from typing import Any

import msgpack
import torch

MAX_STRUCTURE = 512 * 1024
MAX_ATTACHMENTS = 16 * 1024 * 1024
MAX_DEPTH = 100
MAX_NODES = 100_000
MAX_DIMENSIONS = 16
MAX_INTEGER_BYTES = 1024
# Whoever picks the keys of a dict can pick them to collide; strings and bytes are hashed with a
# secret of the process, and few 64-bit integers share a hash. Other keys only in small dicts.
MAX_ODD_KEYS = 1000
HEADER = struct.Struct("<II")

_INLINE_BYTES = 64
_INLINE_STRING = 1024
_MSGPACK_INTEGERS = range(-(2**63), 2**64)
_DTYPE_NAMES = (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 "
    "complex32 complex64 complex128 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz "
    "float8_e8m0fnu float4_e2m1fn_x2"
).split()
DTYPES: dict[str, torch.dtype] = {n: getattr(torch, n) for n in _DTYPE_NAMES if hasattr(torch, n)}
_NAMES = {dtype: name for name, dtype in DTYPES.items()}

ResolveClass = Callable[[str, str, tuple[str, ...]], "type | None"]


class WireError(ValueError):
    """The peer's bytes are not a frame, or break a limit."""


class NotPlainData(TypeError):
    """A value cannot cross. `where` is its place (`.data[2]`), `what` names the type or the limit."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where or 'the value'}: {what}")
        self.where, self.what = where, what


@dataclasses.dataclass(frozen=True)
class Record:
    """A dataclass instance whose class the receiving side does not know; fields read as attributes."""

    type_name: str
    fields: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__.get("fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"{self.type_name} has no field {name!r}")


@dataclasses.dataclass(frozen=True)
class ForeignType:
    """A class that the receiving side does not know."""

    type_name: str


def type_name(cls: type) -> str:
    """`module.qualname`, without `builtins.`; for messages about types."""
    module = getattr(cls, "__module__", "")
    return cls.__qualname__ if module == "builtins" else f"{module}.{cls.__qualname__}"


def is_record_type(value: object) -> bool:
    """Whether `value` is a class that is itself declared as a dataclass (not merely derived from one)."""
    return isinstance(value, type) and "__dataclass_fields__" in value.__dict__


def field_names(cls: type) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(cls))


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
        structure = msgpack.packb([tree, sizes], unicode_errors="surrogatepass")
        if len(structure) > MAX_STRUCTURE:
            raise NotPlainData("", f"too many values ({len(structure):,} bytes of structure)")
        if sum(sizes) > MAX_ATTACHMENTS:
            raise NotPlainData("", f"too large ({sum(sizes):,} bytes; the limit is {MAX_ATTACHMENTS:,})")
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
            return value if value in _MSGPACK_INTEGERS else self._integer(value, where)
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
                if len(value) > MAX_ODD_KEYS and not _is_plain_key(key):
                    raise NotPlainData(where, f"too many keys of type {type_name(type(key))}")
                flat.append(self._tree(key, f"{where} key {str(key)[:40]!r}", depth + 1))
                flat.append(self._tree(item, f"{where}[{_short(key)}]", depth + 1))
            return flat
        if kind is torch.Tensor:
            return self._tensor(value, where)
        if kind is torch.dtype and value in _NAMES:
            return ["y", _NAMES[value]]
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
            raise NotPlainData(where, f"a {tensor.layout} tensor on {tensor.device} is not plain data")
        if tensor.dtype not in _NAMES:
            raise NotPlainData(where, f"a tensor of {tensor.dtype} is not plain data")
        if tensor.numel() * tensor.element_size() > MAX_ATTACHMENTS:
            raise NotPlainData(where, f"a tensor of shape {list(tensor.shape)} is too large")
        layout = None
        if self._keep_layout:
            strides = None if tensor.is_contiguous() else list(tensor.stride())
            layout = [strides, tensor.requires_grad]
        raw = self._attach(tensor_bytes(tensor))
        return ["T", _NAMES[tensor.dtype], list(tensor.shape), raw, layout]


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
        try:
            unpacked = msgpack.unpackb(
                structure,
                unicode_errors="surrogatepass",
                max_map_len=0,
                max_ext_len=0,
                strict_map_key=True,
            )
        except Exception as error:  # msgpack raises a dozen kinds; each means the same here
            raise WireError(f"not msgpack: {type(error).__name__}") from None
        if type(unpacked) is not list or len(unpacked) != 2 or type(unpacked[1]) is not list:
            raise WireError("not a frame")
        tree, sizes = unpacked
        if any(type(s) is not int or s < 0 for s in sizes) or sum(sizes) != len(attachments):
            raise WireError("attachment sizes do not add up")
        parts, start = [], 0
        for size in sizes:
            parts.append(attachments[start : start + size])
            start += size
        self._nodes = 0
        return self._value(tree, parts, 0)

    def _value(self, tree: Any, parts: list[bytes], depth: int) -> Any:
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise WireError("too many values or too deep")
        if type(tree) is not list:
            if type(tree) in (type(None), bool, int, float, str, bytes):
                return tree
            raise WireError(f"unexpected {type(tree).__name__}")
        if not tree or type(tree[0]) is not str:
            raise WireError("a list without a tag")
        tag, *rest = tree
        if tag == "l":
            return [self._value(v, parts, depth + 1) for v in rest]
        if tag == "t":
            return tuple([self._value(v, parts, depth + 1) for v in rest])
        if tag == "d":
            return self._dict(rest, parts, depth)
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
            return self._record(rest, parts, depth)
        raise WireError("unknown tag")

    def _dict(self, flat: list[Any], parts: list[bytes], depth: int) -> dict[Any, Any]:
        if len(flat) % 2:
            raise WireError("a key without a value")
        result = {}
        for i in range(0, len(flat), 2):
            key = self._value(flat[i], parts, depth + 1)
            if len(flat) > 2 * MAX_ODD_KEYS and not _is_plain_key(key):
                raise WireError("too many keys of this type")
            try:
                result[key] = self._value(flat[i + 1], parts, depth + 1)
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

    def _record(self, rest: list[Any], parts: list[bytes], depth: int) -> Any:
        head, *trees = rest or [None]
        if type(head) is not list or not head or head[0] != "c":
            raise WireError("a record without a class")
        cls, name, names = self._class(head[1:])
        if len(trees) != len(names):
            raise WireError("fields do not fit the class")
        fields = {n: self._value(t, parts, depth + 1) for n, t in zip(names, trees, strict=True)}
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


def tensor_bytes(tensor: torch.Tensor) -> bytes:
    """The values of a CPU tensor of any shape and dtype, row by row, as raw little-endian bytes."""
    if tensor.numel() == 0:
        return b""
    values = tensor.detach().resolve_conj().resolve_neg().reshape(-1)
    # `contiguous()` would keep the odd stride of a single element, which `view` then refuses.
    values = values.clone(memory_format=torch.contiguous_format)
    return values.view(torch.uint8).numpy().tobytes()


def _part(rest: list[Any], parts: list[bytes]) -> bytes:
    if len(rest) != 1 or type(rest[0]) is not int or not 0 <= rest[0] < len(parts):
        raise WireError("no such attachment")
    return parts[rest[0]]


def _is_plain_key(key: Any) -> bool:
    return type(key) in (str, bytes) or (type(key) is int and key in _MSGPACK_INTEGERS)


def _short(key: Any) -> str:
    return repr(key)[:40] if isinstance(key, (str, int, float, bool, bytes)) else type(key).__name__


class FrameReader:
    """Collects bytes of a stream and cuts frames out of it; refuses a length over the limits at once."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next_frame(self) -> tuple[bytes, bytes] | None:
        """`(structure, attachments)`, or None while the frame is not whole. Raises `WireError`."""
        if len(self._buffer) < HEADER.size:
            return None
        structure, attachments = HEADER.unpack_from(self._buffer)
        if structure > MAX_STRUCTURE or attachments > MAX_ATTACHMENTS:
            raise WireError(f"a frame of {structure + attachments:,} bytes is refused")
        middle = HEADER.size + structure
        end = middle + attachments
        if len(self._buffer) < end:
            return None
        frame = bytes(self._buffer[HEADER.size : middle]), bytes(self._buffer[middle:end])
        del self._buffer[:end]
        return frame
