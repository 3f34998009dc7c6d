"""Elements from one dtype to another, with the same bits on every machine.

Everything here works on numpy arrays. "Stored" means as `dtype._storage` holds it (bfloat16 as the
upper 16 bits of a float32), "computed" as `dtype._compute`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _dtypes as dt

BFLOAT16_NAN = np.uint16(0x7FC0)


def computed(stored: np.ndarray, dtype: dt.dtype) -> np.ndarray:
    """The values as numbers that numpy can calculate with. Shares memory where it can."""
    if dtype is dt.bfloat16:
        return (stored.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return stored.astype(dtype._compute, copy=False)


def stored(values: np.ndarray, dtype: dt.dtype) -> np.ndarray:
    """The values as elements of `dtype`. Shares memory where nothing has to change."""
    if values.dtype == dtype._storage and dtype is not dt.bfloat16:
        return values
    with np.errstate(all="ignore"):  # an overflow to infinity is a result here, not an accident
        if dtype._kind != dt.COMPLEX and values.dtype.kind == "c":
            values = values.real
        if dtype is dt.bfloat16:
            return _to_bfloat16(values.astype(np.float32, copy=False))
        if dtype is dt.float16:  # by way of 32 bits, as torch rounds
            return values.astype(np.float32, copy=False).astype(np.float16)
        if dtype._kind == dt.INTEGER and values.dtype.kind == "f":
            return _to_integer(values, dtype._storage)
        return values.astype(dtype._storage)


def converted(elements: np.ndarray, source: dt.dtype, target: dt.dtype) -> np.ndarray:
    """Stored elements of `source` as those of `target`; the same array if the two are one."""
    return elements if source is target else stored(computed(elements, source), target)


def _to_bfloat16(values: np.ndarray) -> np.ndarray:
    """Round to the nearest, a tie to the even one. A carry into the exponent is right, too."""
    bits = np.asarray(values, order="C").view(np.uint32)
    last_kept = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = ((bits + np.uint32(0x7FFF) + last_kept) >> np.uint32(16)).astype(np.uint16)
    return np.where(np.isnan(values), BFLOAT16_NAN, rounded)


def _to_integer(values: np.ndarray, target: np.dtype) -> np.ndarray:
    """Cut off the fraction.

    What does not fit is undefined in C, and differs between a page and a server. Here it becomes
    what an x86-64 server gives: the smallest integer of 32 bits (64 for the wide types), of which
    a narrow type keeps the low bits.
    """
    wide = target.itemsize == 8 or target == np.uint32
    via, limit = (np.int64, 2.0**63) if wide else (np.int32, 2.0**31)
    whole = np.trunc(values.astype(np.float64))
    fits = (whole >= -limit) & (whole < limit)
    return np.where(fits, np.where(fits, whole, 0).astype(via), np.iinfo(via).min).astype(target)


def kind_of_number(value: Any) -> int | None:
    """The kind of a number of Python or numpy; None for anything else."""
    if isinstance(value, (bool, np.bool_)):
        return dt.BOOL
    if isinstance(value, (int, np.integer)):
        return dt.INTEGER
    if isinstance(value, (float, np.floating)):
        return dt.FLOAT
    if isinstance(value, (complex, np.complexfloating)):
        return dt.COMPLEX
    return None


def checked_number(value: Any, dtype: dt.dtype) -> Any:
    """`value` as something that numpy stores in `dtype`; RuntimeError if it does not fit.

    A negative number wraps around in an unsigned dtype, as in torch.
    """
    if dtype._kind == dt.BOOL:
        return bool(value)
    if isinstance(value, (complex, np.complexfloating)) and dtype._kind != dt.COMPLEX:
        raise RuntimeError(f"a complex number cannot become {dtype} without overflow")
    if dtype._kind != dt.INTEGER:
        return value if dtype._kind == dt.COMPLEX else _as_float(value)
    info = np.iinfo(dtype._storage)
    lowest = info.min if dtype.is_signed else -info.max
    if not (math.isfinite(value) and lowest <= value <= info.max):
        raise RuntimeError(f"value cannot be converted to {dtype} without overflow")
    whole = int(value)
    return whole if dtype.is_signed else whole % (info.max + 1)


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        raise RuntimeError("an integer that is too large for a float") from None


def stored_number(value: Any, dtype: dt.dtype) -> np.ndarray:
    """One number as a 0-d array of stored elements; RuntimeError if it does not fit."""
    number = checked_number(value, dtype)
    if dtype._kind == dt.FLOAT:
        return np.asarray(stored(np.array(number, np.float64), dtype))
    return np.array(number, dtype._storage)
