"""How a tensor is shown: four digits, at most 80 characters a line, at most 1000 elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _dtypes as dt

DIGITS = 4
LINE_WIDTH = 80
MAX_ELEMENTS = 1000
EDGE = 3  # how many are shown at each end of a dimension that is too long
PREFIX = "tensor("


class _Column:
    """One way to write a number, chosen so that all numbers of a tensor look alike."""

    def __init__(self, write: Callable[[Any], str], sample: list[Any]) -> None:
        self._write = write
        self.width = max(map(len, map(write, sample)), default=1)

    def __call__(self, value: Any) -> str:
        return self._write(value).rjust(self.width)


def _column(values: np.ndarray) -> Any:
    kind = values.dtype.kind
    if kind == "c":
        return _ComplexColumn(values)
    flat = values.reshape(-1)
    if kind != "f":
        return _Column(str, flat.tolist())
    # Zero, infinity and NaN have no say in the form, nor in the width.
    telling = flat[np.isfinite(flat) & (flat != 0)].astype(np.float64)
    return _Column(_float_form(np.abs(telling)), telling.tolist())


def _float_form(sizes: np.ndarray) -> Callable[[float], str]:
    largest, smallest = (sizes.max(), sizes.min()) if sizes.size else (1.0, 1.0)
    whole = bool((sizes == np.floor(sizes)).all())
    with np.errstate(over="ignore"):
        far_apart = largest / smallest > 1000.0
    if far_apart or largest > 1.0e8 or (smallest < 1.0e-4 and not whole):
        return f"{{:.{DIGITS}e}}".format
    if whole:
        return lambda value: f"{value:.0f}." if np.isfinite(value) else f"{value:.0f}"
    return f"{{:.{DIGITS}f}}".format


class _ComplexColumn:
    def __init__(self, values: np.ndarray) -> None:
        self._real, self._imaginary = _column(values.real), _column(values.imag)
        self.width = self._real.width + self._imaginary.width + 1

    def __call__(self, value: complex) -> str:
        imaginary = self._imaginary(value.imag).lstrip()
        sign = "" if imaginary[0] in "+-" else "+"
        return f"{self._real(value.real)}{sign}{imaginary}j"


def _ends(values: np.ndarray) -> np.ndarray:
    """Only what is shown of a large tensor."""
    for axis, size in enumerate(values.shape):
        if size > 2 * EDGE:
            shown = [*range(EDGE), *range(size - EDGE, size)]
            values = values.take(np.array(shown, np.intp), axis)
    return values


def _rows(values: np.ndarray, column: Any, indent: int, shorten: bool) -> str:
    if values.ndim == 0:
        return column(values.item())
    cut = shorten and values.shape[0] > 2 * EDGE
    chosen = [*values[:EDGE], *values[-EDGE:]] if cut else list(values)
    inner = indent + 1
    if values.ndim == 1:
        words = [column(value.item()) for value in chosen]
        if cut:
            words.insert(EDGE, " ...")
        a_line = max(1, (LINE_WIDTH - indent) // (column.width + 2))
        lines = [", ".join(words[i : i + a_line]) for i in range(0, len(words), a_line)]
        return "[" + (",\n" + " " * inner).join(lines) + "]"
    parts = [_rows(value, column, inner, shorten) for value in chosen]
    if cut:
        parts.insert(EDGE, "...")
    between = "," + "\n" * (values.ndim - 1) + " " * inner
    return "[" + between.join(parts) + "]"


def _remarks(tensor: Any) -> list[str]:
    remarks, empty = [], tensor.numel() == 0
    if empty and tensor.ndim != 1:
        remarks.append(f"size={tuple(tensor.shape)}")
    silent = (dt.float32,) if empty else (dt.float32, dt.complex64, dt.int64, dt.bool)
    if tensor.dtype not in silent:
        remarks.append(f"dtype={tensor.dtype}")
    if tensor.grad_fn is not None:
        remarks.append(f"grad_fn={tensor.grad_fn!r}")
    elif tensor.requires_grad:
        remarks.append("requires_grad=True")
    return remarks


def representation(tensor: Any) -> str:
    """The text of `repr(tensor)`."""
    values = tensor._values
    shorten = values.size > MAX_ELEMENTS
    text = PREFIX
    if values.size:
        column = _column(_ends(values) if shorten else values)
        text += _rows(values, column, len(PREFIX), shorten)
    else:
        text += "[]"
    used = len(text) - text.rfind("\n") + 1
    for remark in _remarks(tensor):
        if used + len(remark) + 2 > LINE_WIDTH:
            text += ",\n" + " " * len(PREFIX) + remark
            used = len(PREFIX) + len(remark)
        else:
            text += ", " + remark
            used += len(remark) + 2
    return text + ")"
