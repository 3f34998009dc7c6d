"""Calculating and comparing, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _convert
from . import _dtypes as dt
from . import _geometry as geometry
from ._base import TensorBase
from ._indexing import Indexing
from ._refusal import refuse

Ufunc = Callable[[np.ndarray, np.ndarray], np.ndarray]


def meeting_dtype(tensor: TensorBase, other: Any) -> dt.dtype:
    """The dtype in which a tensor and another tensor or a number meet.

    A number, and a tensor without dimensions beside one with dimensions, only count by their kind.
    """
    if not isinstance(other, TensorBase):
        kind = _convert.kind_of_number(other)
        known = tensor._dtype._kind
        return tensor._dtype if kind <= known else dt.promote(tensor._dtype, dt.of_kind(kind))
    a, b = tensor._dtype, other._dtype
    if bool(tensor._shape) == bool(other._shape):
        return dt.promote(a, b)
    leading, following = (a, b) if tensor._shape else (b, a)
    if leading._kind >= following._kind:
        return leading
    if leading._kind == dt.FLOAT:
        return dt.complex128 if leading is dt.float64 else dt.complex64
    return dt.promote(leading, following)


def _operand(value: Any, dtype: dt.dtype) -> np.ndarray:
    if isinstance(value, TensorBase):
        elements = _convert.converted(value._array, value._dtype, dtype)
        return _convert.computed(elements, dtype)
    if dtype._kind == dt.INTEGER:
        # A number that is too large for the dtype wraps around, as in C.
        if not -(2**63) <= value < 2**64:
            raise RuntimeError("an integer of more than 64 bits")
        return np.array(int(value) % 2**64, np.uint64).astype(dtype._storage)
    return np.array(value).astype(dtype._compute)


def _calculated(
    tensor: Any, other: Any, function: Ufunc, step: str, dtype: dt.dtype, swapped: bool
) -> Any:
    if isinstance(other, TensorBase):
        geometry.broadcast(tensor._shape, other._shape)
    operands = [_operand(tensor, dtype), _operand(other, dtype)]
    if swapped:
        operands.reverse()
    with np.errstate(all="ignore"):
        values = np.asarray(function(*operands))
    result = dt.bool if values.dtype == np.bool_ else dtype
    return tensor._new(_convert.stored(values, result), result, step, other)


def _is_operand(other: Any) -> bool:
    return isinstance(other, TensorBase) or _convert.kind_of_number(other) is not None


def _binary(function: Ufunc, step: str, name: str, swapped: bool = False) -> Callable[..., Any]:
    def operate(self: Any, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        dtype = meeting_dtype(self, other)
        if name == "/" and dtype._kind < dt.FLOAT:
            dtype = dt.float32
        if name == "-" and dtype._kind == dt.BOOL:
            raise RuntimeError("bool tensors cannot be subtracted; use `^` or `~`")
        if name in "&|^" and dtype._kind > dt.INTEGER:
            refuse(f"the operator {name} for {dtype}")
        if name in ("//", "%", "**") and dtype._kind == dt.BOOL:
            refuse(f"the operator {name} for bool tensors")
        if name in ("<", ">", "<=", ">=", "//", "%") and dtype._kind == dt.COMPLEX:
            raise RuntimeError(f"the operator {name} has no meaning for complex numbers")
        if dtype._kind == dt.INTEGER:
            _check_integers(name, other if not swapped else self)
        return _calculated(self, other, function, step, dtype, swapped)

    return operate


def _check_integers(name: str, right: Any) -> None:
    values = right._values if isinstance(right, TensorBase) else np.array(right)
    if name in ("//", "%") and not values.all():
        raise RuntimeError("ZeroDivisionError: an integer divided by zero")
    if name == "**" and (values < 0).any():
        raise RuntimeError("integers to a negative power are not allowed")


def _in_place(operate: Callable[..., Any]) -> Callable[..., Any]:
    def change(self: Any, other: Any, *, alpha: Any = 1) -> Any:
        if alpha != 1:
            other = other * alpha
        result = operate(self, other)
        if result is NotImplemented:
            return result
        if result._dtype._kind > self._dtype._kind:
            raise RuntimeError(f"a result of {result._dtype} cannot be written to {self._dtype}")
        if result._shape != self._shape:
            raise RuntimeError(
                f"a result of shape {list(result._shape)} cannot be written to a tensor of shape "
                f"{list(self._shape)}"
            )
        np.copyto(self._writable(), _convert.converted(result._array, result._dtype, self._dtype))
        return self

    return change


def _named(operate: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(self: Any, other: Any, *, alpha: Any = 1) -> Any:
        result = operate(self, other * alpha if alpha != 1 else other)
        if result is NotImplemented:
            raise TypeError(f"{name}() takes a Tensor or a number, not {type(other).__name__}")
        return result

    call.__name__ = name
    return call


# Sign, method name, function, name of the step for autograd.
_OPERATORS: tuple[tuple[str, str, Ufunc, str], ...] = (
    ("+", "add", np.add, "Add"),
    ("-", "sub", np.subtract, "Sub"),
    ("*", "mul", np.multiply, "Mul"),
    ("/", "truediv", np.true_divide, "Div"),
    ("//", "floordiv", np.floor_divide, "FloorDivide"),
    ("%", "mod", np.remainder, "Remainder"),
    ("**", "pow", np.power, "Pow"),
    ("&", "and", np.bitwise_and, "BitwiseAnd"),
    ("|", "or", np.bitwise_or, "BitwiseOr"),
    ("^", "xor", np.bitwise_xor, "BitwiseXor"),
)
_COMPARISONS: tuple[tuple[str, str, Ufunc], ...] = (
    ("==", "eq", np.equal),
    ("!=", "ne", np.not_equal),
    ("<", "lt", np.less),
    ("<=", "le", np.less_equal),
    (">", "gt", np.greater),
    (">=", "ge", np.greater_equal),
)
_METHODS = {"truediv": "div", "floordiv": "floor_divide", "mod": "remainder"}


class Arithmetic(Indexing):
    """Operators; the binary ones are attached below, from one table."""

    def _unary(self, function: Any, step: str, dtype: dt.dtype | None = None) -> Any:
        target = dtype or self._dtype
        with np.errstate(all="ignore"):
            values = np.asarray(function(self._values))
        return self._new(_convert.stored(values, target), target, step, self)

    def __neg__(self) -> Any:
        if self._dtype is dt.bool:
            raise RuntimeError("a bool tensor has no negative; use `~`")
        if self._dtype in (dt.float16, dt.bfloat16):  # the sign bit, so that NaN keeps the others
            flipped = self._array.view(np.uint16) ^ np.uint16(0x8000)
            return self._new(flipped.view(self._dtype._storage), self._dtype, "Neg", self)
        return self._unary(np.negative, "Neg")

    neg = __neg__

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        if self._dtype._kind == dt.COMPLEX:
            real = dt.float32 if self._dtype is dt.complex64 else dt.float64
            return self._unary(np.abs, "Abs", real)
        return self._unary(np.abs, "Abs")

    abs = __abs__

    def __invert__(self) -> Any:
        if self._dtype._kind > dt.INTEGER:
            raise TypeError(f"~ is for integer and bool tensors, not for {self._dtype}")
        return self._unary(np.invert, "BitwiseNot")

    def conj(self) -> Any:
        return self._unary(np.conj, "Conj") if self._dtype.is_complex else self

    def isnan(self) -> Any:
        return self._unary(np.isnan, "", dt.bool)

    def isinf(self) -> Any:
        return self._unary(np.isinf, "", dt.bool)

    def isfinite(self) -> Any:
        return self._unary(np.isfinite, "", dt.bool)

    def signbit(self) -> Any:
        negative = np.signbit if self._dtype._kind == dt.FLOAT else lambda values: values < 0
        return self._unary(negative, "", dt.bool)

    def logical_not(self) -> Any:
        return self._unary(np.logical_not, "", dt.bool)

    # An object of its own beside others, although `==` compares element by element.
    __hash__ = object.__hash__


for _sign, _name, _function, _step in _OPERATORS:
    _operate = _binary(_function, _step, _sign)
    setattr(Arithmetic, f"__{_name}__", _operate)
    setattr(Arithmetic, f"__r{_name}__", _binary(_function, _step, _sign, swapped=True))
    setattr(Arithmetic, f"__i{_name}__", _in_place(_operate))
    _method = _METHODS.get(_name, f"bitwise_{_name}" if _sign in "&|^" else _name)
    setattr(Arithmetic, _method, _named(_operate, _method))
    setattr(Arithmetic, f"{_method}_", _named(_in_place(_operate), f"{_method}_"))
for _sign, _name, _function in _COMPARISONS:
    _operate = _binary(_function, "", _sign)
    setattr(Arithmetic, f"__{_name}__", _operate)
    setattr(Arithmetic, _name, _named(_operate, _name))
Arithmetic.__hash__ = object.__hash__
