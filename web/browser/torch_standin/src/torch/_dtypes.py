"""The dtypes: their names, how numpy stores them, and which one two of them meet in."""

from __future__ import annotations

import builtins

import numpy as np

from ._refusal import refuse

# The order of the kinds in which dtypes meet: a float and an integer meet in the float.
BOOL, INTEGER, FLOAT, COMPLEX = range(4)


class dtype:
    """The type of a tensor's elements.

    `storage` is the numpy dtype that holds the bytes, `compute` the one that arithmetic is done in.
    They differ for the 16-bit floats: numpy has no bfloat16, and torch calculates both in 32 bits.
    """

    def __init__(self, name: str, kind: int, storage: str, compute: str, legacy: str) -> None:
        self._name, self._kind, self._legacy = name, kind, legacy
        self._storage, self._compute = np.dtype(storage), np.dtype(compute)

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self._storage.itemsize

    @property
    def is_floating_point(self) -> builtins.bool:
        return self._kind == FLOAT

    @property
    def is_complex(self) -> builtins.bool:
        return self._kind == COMPLEX

    @property
    def is_signed(self) -> builtins.bool:
        return self._kind > INTEGER or self._storage.kind == "i"

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name  # one object per dtype, however it is copied


dtype.__module__ = "torch"


def _float(name: str, storage: str, legacy: str, compute: str | None = None) -> dtype:
    return dtype(name, FLOAT, storage, compute or storage, legacy)


def _integer(name: str, storage: str, legacy: str) -> dtype:
    return dtype(name, INTEGER, storage, storage, legacy)


bool = dtype("bool", BOOL, "?", "?", "Bool")
uint8 = _integer("uint8", "u1", "Byte")
int8 = _integer("int8", "i1", "Char")
int16 = _integer("int16", "<i2", "Short")
int32 = _integer("int32", "<i4", "Int")
int64 = _integer("int64", "<i8", "Long")
uint16 = _integer("uint16", "<u2", "UInt16")
uint32 = _integer("uint32", "<u4", "UInt32")
uint64 = _integer("uint64", "<u8", "UInt64")
float16 = _float("float16", "<f2", "Half", "<f4")
bfloat16 = _float("bfloat16", "<u2", "BFloat16", "<f4")
float32 = _float("float32", "<f4", "Float")
float64 = _float("float64", "<f8", "Double")
complex64 = dtype("complex64", COMPLEX, "<c8", "<c8", "ComplexFloat")
complex128 = dtype("complex128", COMPLEX, "<c16", "<c16", "ComplexDouble")

ALL = (
    bool, uint8, int8, int16, int32, int64, uint16, uint32, uint64,
    float16, bfloat16, float32, float64, complex64, complex128,
)  # fmt: skip
ALIASES = {
    "short": int16, "int": int32, "long": int64, "half": float16, "float": float32,
    "double": float64, "cfloat": complex64, "cdouble": complex128,
}  # fmt: skip
_BY_NUMPY = {each._storage: each for each in ALL if each is not bfloat16}
_LATE_UNSIGNED = (uint16, uint32, uint64)


def of_numpy(numpy_dtype: np.dtype) -> dtype | None:
    """The dtype with the same elements, or None."""
    return _BY_NUMPY.get(numpy_dtype)


def promote(a: dtype, b: dtype) -> dtype:
    """The dtype in which elements of `a` and of `b` meet."""
    if a is b:
        return a
    if a._kind > b._kind:
        a, b = b, a
    if b._kind == COMPLEX:
        return complex128 if complex128 in (a, b) or a is float64 else complex64
    if b._kind == FLOAT:
        if a._kind < FLOAT:
            return b
        return float64 if float64 in (a, b) else float32
    if a in _LATE_UNSIGNED or b in _LATE_UNSIGNED:
        refuse(f"arithmetic between {a} and {b}")
    if a._kind == BOOL:
        return b
    signed = [each for each in (a, b) if each.is_signed]
    if len(signed) == 1 and signed[0] is int8:
        return int16  # the smallest that holds uint8 and int8
    return max(signed, key=lambda each: each.itemsize)


def of_kind(kind: int) -> dtype:
    """What Python's own numbers become."""
    return (bool, int64, float32, complex64)[kind]


class iinfo:
    """The range of an integer dtype: `min`, `max`, `bits`."""

    def __init__(self, type: dtype) -> None:
        if type._kind != INTEGER:
            raise TypeError(f"torch.iinfo() is for integer dtypes, not for {type}")
        found = np.iinfo(type._storage)
        self.min, self.max, self.bits, self.dtype = found.min, found.max, found.bits, type._name


class finfo:
    """The range of a floating point dtype: `min`, `max`, `eps`, `tiny`, `bits`."""

    def __init__(self, type: dtype = float32) -> None:
        if type._kind < FLOAT:
            raise TypeError(f"torch.finfo() is for floating point dtypes, not for {type}")
        self.bits, self.dtype = type.itemsize * 8 // (type._kind - 1), type._name
        if type is bfloat16:  # eight bits of exponent, seven of fraction
            self.max, self.eps, self.tiny = (2 - 2.0**-7) * 2.0**127, 2.0**-7, 2.0**-126
        else:
            found = np.finfo(type._storage)
            self.max, self.eps, self.tiny = map(float, (found.max, found.eps, found.tiny))
        self.min, self.smallest_normal = -self.max, self.tiny
