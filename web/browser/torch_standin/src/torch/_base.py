"""The core of a tensor: a view into a storage, and the few ways in which others come from it."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

import numpy as np

from . import _convert
from . import _dtypes as dt
from . import _geometry as geometry
from ._autograd import GradientStep, is_grad_enabled
from ._refusal import NotInThisTorch, sentence
from ._storage import UntypedStorage, allocate, of_array
from ._types import CPU, Size, device, layout, strided

Some = TypeVar("Some", bound="TensorBase")


class TensorBase:
    """Storage, dtype, shape, strides and offset (in elements): what a tensor consists of."""

    _storage: UntypedStorage
    _dtype: dt.dtype
    _shape: geometry.Dims
    _stride: geometry.Dims
    _offset: int
    _requires_grad: bool
    grad_fn: GradientStep | None

    is_cuda = is_meta = is_nested = is_sparse = is_quantized = False
    grad = None

    # --- how tensors come about -------------------------------------------------------------------

    @classmethod
    def _over(
        cls: type[Some],
        storage: UntypedStorage,
        dtype: dt.dtype,
        shape: geometry.Dims,
        stride: geometry.Dims | None = None,
        offset: int = 0,
    ) -> Some:
        made = object.__new__(cls)
        made._storage, made._dtype, made._offset = storage, dtype, offset
        made._shape = tuple(shape)
        made._stride = geometry.row_major(shape) if stride is None else tuple(stride)
        made._requires_grad, made.grad_fn = False, None
        return made

    @classmethod
    def _of(cls: type[Some], stored: np.ndarray, dtype: dt.dtype) -> Some:
        """A tensor over the memory of an array of stored elements, with the array's strides."""
        stored = np.asarray(stored)
        storage = of_array(stored)
        if stored.flags.c_contiguous:
            return cls._over(storage, dtype, stored.shape)
        strides = tuple(step // dtype.itemsize for step in stored.strides)
        return cls._over(storage, dtype, stored.shape, strides)

    def _new(self, stored: np.ndarray, dtype: dt.dtype, step: str, *others: Any) -> Any:
        """The result of an operation on this tensor, laid out in its order if the shapes agree."""
        stored = np.ascontiguousarray(stored).reshape(stored.shape)
        made = _plain(self)._of(stored, dtype)
        if made._shape == self._shape:
            stride = geometry.packed(self._shape, self._stride)
            if stride != made._stride:
                storage = allocate(self._shape, stored.size, dtype.itemsize)
                made = _plain(self)._over(storage, dtype, self._shape, stride)
                made._array[...] = stored
        return made._came_from(step, self, *others)

    def _look(self, shape: Any, stride: Any, offset: int, step: str, dtype: Any = None) -> Any:
        """Another view of the same memory."""
        cls = _plain(self)
        made = cls._over(self._storage, dtype or self._dtype, shape, stride, offset)
        return made._came_from(step, self)

    def _came_from(self: Some, step: str, *sources: Any) -> Some:
        needs = any(isinstance(s, TensorBase) and s._requires_grad for s in sources)
        if needs and self._dtype._kind >= dt.FLOAT and is_grad_enabled():
            self._requires_grad, self.grad_fn = True, GradientStep(step)
        return self

    # --- its elements -----------------------------------------------------------------------------

    @property
    def _array(self) -> np.ndarray:
        """The stored elements: a numpy view of the memory itself."""
        size = self._dtype.itemsize
        if 0 in self._shape:  # which may begin where the storage ends
            return np.empty(self._shape, self._dtype._storage)
        strides = [step * size for step in self._stride]
        raw, offset = self._storage._raw, self._offset * size
        return np.ndarray(self._shape, self._dtype._storage, raw, offset, strides)

    @property
    def _values(self) -> np.ndarray:
        """The elements as numbers to calculate with."""
        return _convert.computed(self._array, self._dtype)

    def _writable(self) -> np.ndarray:
        """`_array`, or RuntimeError where nothing may be written."""
        if self._requires_grad and self.grad_fn is None and is_grad_enabled():
            raise RuntimeError(
                "a leaf tensor that requires grad cannot be changed in place; use `detach()` or "
                "`torch.no_grad()`"
            )
        if geometry.overlaps(self._shape, self._stride):
            raise RuntimeError(
                "several elements of this tensor share one place in memory (it was expanded), so "
                "it cannot be written to; `clone()` it first"
            )
        array = self._array
        if not array.flags.writeable:
            raise RuntimeError(
                "this tensor uses the memory of something that never changes, such as bytes. The "
                "real torch would write there all the same and change the bytes; copy them first, "
                "for example with bytearray"
            )
        return array

    # --- what it is -------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        return Size(self._shape)

    @property
    def dtype(self) -> dt.dtype:
        return self._dtype

    @property
    def device(self) -> device:
        return CPU

    @property
    def layout(self) -> layout:
        return strided

    @property
    def ndim(self) -> int:
        return len(self._shape)

    @property
    def itemsize(self) -> int:
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.numel() * self._dtype.itemsize

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, needed: bool) -> None:
        if needed and self._dtype._kind < dt.FLOAT:
            raise RuntimeError(
                f"only floating point tensors can require gradients, not {self._dtype}"
            )
        if not needed and self.grad_fn is not None:
            raise RuntimeError("only a leaf can stop requiring gradients; use `detach()`")
        self._requires_grad = bool(needed)

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    def requires_grad_(self: Some, requires_grad: bool = True) -> Some:
        self.requires_grad = requires_grad
        return self

    def dim(self) -> int:
        return len(self._shape)

    ndimension = dim

    def numel(self) -> int:
        return self.shape.numel()

    nelement = numel

    def size(self, dim: int | None = None) -> Any:
        """The shape, or one of its sizes."""
        return self.shape if dim is None else self._shape[geometry.wrap(dim, self.ndim)]

    def stride(self, dim: int | None = None) -> Any:
        """How many elements lie between neighbours of each dimension, or of one."""
        return self._stride if dim is None else self._stride[geometry.wrap(dim, self.ndim)]

    def storage_offset(self) -> int:
        return self._offset

    def untyped_storage(self) -> UntypedStorage:
        """The whole memory that this tensor looks into, also the part that it does not show."""
        return self._storage

    def data_ptr(self) -> int:
        """The address of the first element."""
        at = self._storage.data_ptr()
        return at + self._offset * self._dtype.itemsize if self.numel() else at

    def element_size(self) -> int:
        return self._dtype.itemsize

    def is_contiguous(self, memory_format: Any = None) -> bool:
        return geometry.is_row_major(self._shape, self._stride)

    def is_floating_point(self) -> bool:
        return self._dtype.is_floating_point

    def is_complex(self) -> bool:
        return self._dtype.is_complex

    def is_signed(self) -> bool:
        return self._dtype.is_signed

    def is_conj(self) -> bool:
        return False  # `conj` calculates at once

    is_neg = is_inference = is_conj

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        raise NotInThisTorch(sentence(f"Tensor.{name}"))


def _plain(tensor: TensorBase) -> Any:
    """The class of results: `torch.Tensor`, also for an operation on a subclass of it."""
    return next(cls for cls in type(tensor).__mro__ if "_is_result" in vars(cls))
