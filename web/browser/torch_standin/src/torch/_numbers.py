"""From numbers in lists to a tensor: its shape, its dtype, and every number checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _convert
from . import _dtypes as dt
from ._tensor import Tensor


def of_numbers(data: Any, dtype: dt.dtype | None) -> Tensor:
    """A number, or numbers in sequences of equal length; the dtype is the one they meet in."""
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    shape = _shape_of(data)
    flat: list[Any] = []
    _flatten(data, shape, 0, flat)
    if dtype is None:
        dtype = _dtype_of(flat)
    flat = [value.item() if isinstance(value, Tensor) else value for value in flat]
    if dtype._kind < dt.FLOAT:
        _check_64_bits(flat, dtype)
        flat = [_convert.checked_number(value, dtype) for value in flat]
        stored = np.array(flat, dtype._storage)
    else:
        wide = np.complex128 if dtype._kind == dt.COMPLEX else np.float64
        if wide is np.float64 and any(isinstance(value, complex) for value in flat):
            raise TypeError("a complex number cannot become a real one")
        stored = _convert.stored(np.array(flat, wide), dtype)
    return Tensor._of(stored.reshape(shape), dtype)


def _check_64_bits(numbers: list[Any], dtype: dt.dtype) -> None:
    limit = 2**64 if dtype is dt.uint64 else 2**63
    for number in numbers:
        if isinstance(number, int) and not -(2**63) <= number < limit:
            raise ValueError("an integer does not fit into 64 bits")


def _is_sequence(data: Any) -> bool:
    if isinstance(data, (str, bytes, dict)) or (
        isinstance(data, (Tensor, np.ndarray)) and not data.ndim
    ):
        return False
    return hasattr(data, "__len__") and hasattr(data, "__getitem__")


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while _is_sequence(data):
        shape.append(len(data))
        if len(shape) > 64:
            raise ValueError("too many dimensions, or a list that contains itself")
        if not shape[-1]:
            break
        data = data[0]
    if isinstance(data, (str, bytes)):
        raise ValueError(f"too many dimensions '{type(data).__name__}'")
    return tuple(shape)


def _flatten(data: Any, shape: tuple[int, ...], dim: int, into: list[Any]) -> None:
    if dim == len(shape):
        if _is_sequence(data) or isinstance(data, (str, bytes)):
            raise TypeError(f"a number is expected at dim {dim}, not a {type(data).__name__}")
        into.append(data)
        return
    if not _is_sequence(data):
        raise TypeError(f"a sequence is expected at dim {dim}, not a {type(data).__name__}")
    if len(data) != shape[dim]:
        raise ValueError(
            f"expected sequence of length {shape[dim]} at dim {dim}, like the first one "
            f"(got {len(data)})"
        )
    for item in data:
        _flatten(item, shape, dim + 1, into)


def _dtype_of(flat: list[Any]) -> dt.dtype:
    if not flat:
        return dt.float32
    found: dt.dtype | None = None
    for kind in {type(value): value for value in flat}.values():
        each = dtype_of_number(kind)
        found = each if found is None else dt.promote(found, each)
    if any(isinstance(value, Tensor) for value in flat):  # of one type, but of any dtype
        for value in flat:
            found = dt.promote(found, dtype_of_number(value))
    return found


def dtype_of_number(value: Any) -> dt.dtype:
    """What a number of Python, numpy or a 0-d tensor becomes; RuntimeError for anything else."""
    if isinstance(value, Tensor):
        return value.dtype
    own = dt.of_numpy(value.dtype) if isinstance(value, (np.generic, np.ndarray)) else None
    kind = _convert.kind_of_number(value)
    if kind is None and own is None:
        raise RuntimeError(f"Could not infer dtype of {type(value).__name__}")
    return own or dt.of_kind(kind)
