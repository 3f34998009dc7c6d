"""The kinds of values that cross, and the errors for what does not."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

_ALL_DTYPES = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2"]
DTYPES: dict[str, torch.dtype] = {n: getattr(torch, n) for n in _ALL_DTYPES if hasattr(torch, n)}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}


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


def tensor_bytes(tensor: torch.Tensor) -> bytes:
    """The values of a CPU tensor of any shape and dtype, row by row, as raw little-endian bytes."""
    if tensor.numel() == 0:
        return b""
    values = tensor.detach().resolve_conj().resolve_neg().reshape(-1)
    # `contiguous()` would keep the odd stride of a single element, which `view` then refuses.
    values = values.clone(memory_format=torch.contiguous_format)
    return values.view(torch.uint8).numpy().tobytes()
