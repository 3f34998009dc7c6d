"""New tensors: from numbers, from numpy, from bytes, and filled ones."""

from __future__ import annotations

import math
import operator
import warnings
from typing import Any

import numpy as np

from . import _convert
from . import _dtypes as dt
from . import _geometry as geometry
from ._base import TensorBase
from ._numbers import dtype_of_number, of_numbers
from ._refusal import refuse
from ._storage import UntypedStorage, allocate
from ._tensor import Tensor
from ._types import check_device, strided

_READ_ONLY = (
    "{} cannot be written to, and a tensor cannot know that: the real torch lets you write through "
    "it and change what it must not. Copy it first."
)


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A copy of `data`: a number, numbers in lists of equal length, a numpy array or a tensor."""
    _check(dtype, device)
    if isinstance(data, Tensor):
        made = data.detach().clone() if dtype in (None, data.dtype) else data.detach().to(dtype)
    elif isinstance(data, np.ndarray):
        found = _numpy_dtype(data)
        target = dtype or found
        _check_strides(data)
        made = Tensor._of(_convert.converted(data.copy("K"), found, target), target)
    else:
        made = of_numbers(data, dtype)
    return made.requires_grad_(requires_grad)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Like `tensor`, but shares memory where dtype and type of `data` allow it."""
    _check(dtype, device)
    if isinstance(data, Tensor):
        return data.to(dtype) if dtype else data
    if isinstance(data, np.ndarray):
        shared = from_numpy(data)
        return shared.to(dtype) if dtype else shared
    return tensor(data, dtype=dtype)


asarray = as_tensor


def _check(dtype: Any, device: Any = None, **others: Any) -> None:
    if dtype is not None and not isinstance(dtype, dt.dtype):
        raise TypeError(f"argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    check_device(device)
    if others.pop("layout", strided) is not strided:
        refuse("a layout other than torch.strided")
    if others.pop("pin_memory", False) or others.pop("out", None) is not None:
        refuse("pin_memory and out")
    others.pop("memory_format", None)
    others.pop("size", None)
    if others:
        raise TypeError(f"unexpected argument {next(iter(others))!r}")


# --- from memory of others ------------------------------------------------------------------------


def _numpy_dtype(array: np.ndarray) -> dt.dtype:
    found = dt.of_numpy(array.dtype)
    if found is not None and array.dtype.isnative:
        return found
    if array.dtype.newbyteorder("=") != array.dtype:
        raise ValueError("the array's byte order is not this machine's, which is not supported")
    names = ", ".join(each._name for each in dt.ALL if each is not dt.bfloat16)
    raise TypeError(f"can't convert np.ndarray of type {array.dtype.type.__name__}, only {names}")


def _check_strides(array: np.ndarray) -> None:
    if any(step < 0 for step in array.strides):
        raise ValueError("an array with a negative stride is not supported; use array.copy()")


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor over the array's own memory."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtype = _numpy_dtype(array)
    _check_strides(array)
    if any(step % array.itemsize for step in array.strides):
        raise ValueError(
            "an array whose strides are no multiple of its element size is not supported"
        )
    if not array.flags.writeable:
        warnings.warn(_READ_ONLY.format("The given NumPy array"), UserWarning, 2)
    return Tensor._of(array, dtype)


def frombuffer(
    buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A 1-D tensor over the memory of a bytearray or another buffer; ValueError for odd sizes."""
    _check(dtype)
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise ValueError(
            f"a {type(buffer).__name__} does not implement Python buffer protocol"
        ) from None
    size, length = dtype.itemsize, memory.nbytes
    if not length or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must lie within the buffer length ({length} bytes)"
        )
    left = length - offset
    if count < 0:
        if left % size:
            raise ValueError(
                f"buffer length ({left} bytes) after offset ({offset} bytes) must be a multiple of "
                f"element size ({size})"
            )
        count = left // size
    elif count * size > left:
        raise ValueError(
            f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) is "
            f"greater than what the buffer has ({length} bytes)"
        )
    if memory.readonly:
        warnings.warn(_READ_ONLY.format("The given buffer"), UserWarning, 2)
    raw = np.frombuffer(memory, np.uint8, count * size, offset)
    return Tensor._over(UntypedStorage(raw), dtype, (count,)).requires_grad_(requires_grad)


# --- filled ---------------------------------------------------------------------------------------


def empty_strided(
    size: Any, stride: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Uninitialized memory, laid out by strides."""
    _check(dtype, device)
    dtype = dtype or dt.float32
    shape = geometry.check_sizes(geometry.sizes_of((tuple(size),), "empty_strided"))
    strides = geometry.sizes_of((tuple(stride),), "empty_strided")
    if len(shape) != len(strides):
        raise RuntimeError(f"{len(shape)} sizes and {len(strides)} strides do not fit each other")
    if any(step < 0 for step in strides):
        raise RuntimeError(f"negative strides are not supported: {list(strides)}")
    storage = allocate(shape, geometry.reach(shape, strides), dtype.itemsize)
    return Tensor._over(storage, dtype, shape, strides).requires_grad_(requires_grad)


def empty(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **others: Any
) -> Tensor:
    """A tensor whose elements are whatever its memory held before."""
    if not size and "size" not in others:
        raise TypeError("empty() needs a size")
    _check(dtype, device, **others)
    dtype = dtype or dt.float32
    shape = geometry.check_sizes(geometry.sizes_of(size or (others["size"],), "empty"))
    storage = allocate(shape, math.prod(shape), dtype.itemsize)
    return Tensor._over(storage, dtype, shape).requires_grad_(requires_grad)


def zeros(*size: Any, requires_grad: bool = False, **options: Any) -> Tensor:
    return empty(*size, **options).fill_(0).requires_grad_(requires_grad)


def ones(*size: Any, requires_grad: bool = False, **options: Any) -> Tensor:
    return empty(*size, **options).fill_(1).requires_grad_(requires_grad)


def full(
    size: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False, **options: Any
) -> Tensor:
    """Every element `fill_value`; without a dtype, the one of that number."""
    dtype = dtype or dtype_of_number(fill_value)
    return empty(size, dtype=dtype, **options).fill_(fill_value).requires_grad_(requires_grad)


def _like(make: Any) -> Any:
    def like(input: Tensor, *args: Any, dtype: Any = None, **options: Any) -> Tensor:
        return make(tuple(input.shape), *args, dtype=dtype or input.dtype, **options)

    like.__name__ = like.__qualname__ = f"{make.__name__}_like"
    like.__doc__ = f"`torch.{make.__name__}` in the shape and dtype of another tensor."
    return like


empty_like, zeros_like, ones_like, full_like = map(_like, (empty, zeros, ones, full))


def arange(
    *bounds: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **others: Any
) -> Tensor:
    """The numbers from `start` (0) up to, without, `end` in steps of `step` (1)."""
    names = ("end",) if len(bounds) == 1 else ("start", "end", "step")
    given = dict(zip(names, bounds, strict=False))
    given.update({key: others.pop(key) for key in ("start", "end", "step") if key in others})
    _check(dtype, device, **others)
    start, end, step = given.get("start", 0), given["end"], given.get("step", 1)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError(f"arange from {start} to {end} never arrives with a step of {step}")
    whole = all(_convert.kind_of_number(bound) == dt.INTEGER for bound in (start, end, step))
    dtype = dtype or (dt.int64 if whole else dt.float32)
    if whole:
        start, end, step = map(operator.index, (start, end, step))
        count = -((start - end) // step)
    else:
        count = math.ceil((end - start) / step)
    storage = allocate((count,), count, dtype.itemsize)
    made = Tensor._over(storage, dtype, (count,))
    numbers = np.arange(count, dtype=np.int64 if whole else np.float64)
    made._array[...] = _convert.stored(start + numbers * step, dtype)
    return made.requires_grad_(requires_grad)


# --- from several tensors -------------------------------------------------------------------------


def cat(tensors: Any, dim: int = 0) -> Tensor:
    """Tensors one after the other along a dimension that they have."""
    tensors = _tensors(tensors, "cat")
    dtype = tensors[0].dtype
    for each in tensors[1:]:
        dtype = dt.promote(dtype, each.dtype)
    # An empty vector fits everything: it was how one began a list of tensors.
    parts = [each for each in tensors if each.shape != (0,)] or tensors[:1]
    first = parts[0]
    if not first.ndim:
        raise RuntimeError("tensors without a dimension cannot be concatenated")
    dim = geometry.wrap(dim, first.ndim)
    for each in parts:
        if each.ndim != first.ndim:
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {first.ndim} and {each.ndim}"
            )
        if any(
            a != b for i, (a, b) in enumerate(zip(first.shape, each.shape, strict=True)) if i != dim
        ):
            raise RuntimeError(
                f"only dimension {dim} may differ: {list(first.shape)} and {list(each.shape)}"
            )
    arrays = [_convert.converted(each._array, each.dtype, dtype) for each in parts]
    return Tensor._of(np.concatenate(arrays, dim), dtype)._came_from("Cat", *tensors)


def stack(tensors: Any, dim: int = 0) -> Tensor:
    """Tensors of one shape along a new dimension."""
    tensors = _tensors(tensors, "stack")
    for i, each in enumerate(tensors):
        if each.shape != tensors[0].shape:
            raise RuntimeError(
                "stack expects tensors of equal size, but got "
                f"{list(tensors[0].shape)} at entry 0 and {list(each.shape)} at entry {i}"
            )
    made = cat([each.unsqueeze(dim) for each in tensors], geometry.wrap(dim, tensors[0].ndim + 1))
    return made.detach()._came_from("Stack", *tensors)


def _tensors(given: Any, function: str) -> list[Tensor]:
    found = list(given)
    if not found:
        error = ValueError if function == "cat" else RuntimeError
        raise error(f"torch.{function}(): expected a non-empty list of Tensors")
    for i, each in enumerate(found):
        if not isinstance(each, TensorBase):
            raise TypeError(f"{function}(): element {i} is a {type(each).__name__}, not a Tensor")
    return found
