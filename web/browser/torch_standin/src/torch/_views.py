"""The operations that only look at the same memory in another way, and the copies they may need."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _dtypes as dt
from . import _geometry as geometry
from ._base import TensorBase
from ._refusal import refuse
from ._storage import allocate
from ._types import contiguous_format, preserve_format


class Views(TensorBase):
    """Shape, order of dimensions, bytes: seen differently."""

    def view(self, *shape: Any) -> Any:
        """The same memory in another shape or dtype; RuntimeError where that needs a copy."""
        if len(shape) == 1 and isinstance(shape[0], dt.dtype):
            return self._as_dtype(shape[0])
        new = geometry.inferred(geometry.sizes_of(shape, "view"), self.numel())
        stride = geometry.view_strides(self._shape, self._stride, new)
        if stride is None:
            raise RuntimeError(
                f"view size {list(new)} is not compatible with the size {list(self._shape)} and "
                f"stride {list(self._stride)} of the tensor, whose elements do not lie in that "
                "order in memory; use .reshape(...), which copies where it must"
            )
        return self._look(new, stride, self._offset, "View")

    def _as_dtype(self, dtype: dt.dtype) -> Any:
        old, new = self._dtype.itemsize, dtype.itemsize
        shape, stride, offset = self._shape, self._stride, self._offset
        if old != new:
            what = f"to view {self._dtype} as {dtype}, whose elements have another size"
            if not shape:
                raise RuntimeError(f"there must be a dimension (dim() is 0) {what}")
            if stride[-1] != 1:
                raise RuntimeError(f"self.stride(-1) must be 1 {what}; it is {stride[-1]}")
        if old > new:
            times = old // new
            shape = (*shape[:-1], shape[-1] * times)
            stride, offset = (*(step * times for step in stride[:-1]), 1), offset * times
        elif old < new:
            times = new // old
            if shape[-1] % times:
                raise RuntimeError(
                    f"self.size(-1) must be divisible by {times} {what}; it is {shape[-1]}"
                )
            if offset % times or any(step % times for step in stride[:-1]):
                raise RuntimeError(f"offset and strides must be divisible by {times} {what}")
            shape = (*shape[:-1], shape[-1] // times)
            stride, offset = (*(step // times for step in stride[:-1]), 1), offset // times
        return self._look(shape, stride, offset, "View", dtype)

    def reshape(self, *shape: Any) -> Any:
        """Another shape, as a view where that is possible, else as a copy."""
        if not shape:
            raise TypeError("reshape() needs a shape")
        new = geometry.inferred(geometry.sizes_of(shape, "reshape"), self.numel())
        stride = geometry.view_strides(self._shape, self._stride, new)
        if stride is not None:
            return self._look(new, stride, self._offset, "View")
        copied = self.clone(memory_format=contiguous_format)
        return copied._look(new, geometry.row_major(new), 0, "UnsafeView")

    def view_as(self, other: TensorBase) -> Any:
        return self.view(other._shape)

    def reshape_as(self, other: TensorBase) -> Any:
        return self.reshape(other._shape)

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> Any:
        """The dimensions from `start_dim` to `end_dim` as one."""
        if not self._shape:
            return self.reshape(1)
        first, last = geometry.wrap(start_dim, self.ndim), geometry.wrap(end_dim, self.ndim)
        if first > last:
            raise RuntimeError(f"flatten(): start_dim {start_dim} comes after end_dim {end_dim}")
        if first == last:
            return self
        one = math.prod(self._shape[first : last + 1])
        return self.reshape(*self._shape[:first], one, *self._shape[last + 1 :])

    def ravel(self) -> Any:
        return self.reshape(-1).contiguous()

    def permute(self, *dims: Any) -> Any:
        """The dimensions in another order."""
        given = geometry.sizes_of(dims, "permute")
        if len(given) != self.ndim:
            raise RuntimeError(
                f"permute() of {self.ndim} dimensions got {len(given)}: {list(given)}"
            )
        order = [geometry.wrap(dim, self.ndim) for dim in given]
        if len(set(order)) != len(order):
            raise RuntimeError(f"permute(): a dimension occurs twice in {list(given)}")
        return self._ordered(order, "Permute")

    def _ordered(self, order: Any, step: str) -> Any:
        shape, stride = ([of[dim] for dim in order] for of in (self._shape, self._stride))
        return self._look(shape, stride, self._offset, step)

    def transpose(self, dim0: int, dim1: int) -> Any:
        """Two dimensions exchanged."""
        one, two = geometry.wrap(dim0, self.ndim), geometry.wrap(dim1, self.ndim)
        order = list(range(self.ndim))
        if order:
            order[one], order[two] = two, one
        return self._ordered(order, "Transpose")

    swapaxes = transpose

    def t(self) -> Any:
        """Rows and columns exchanged; a vector stays as it is."""
        if self.ndim > 2:
            raise RuntimeError(f"t() is for at most 2 dimensions, this tensor has {self.ndim}")
        return self._ordered(range(self.ndim)[::-1], "T")

    @property
    def T(self) -> Any:
        return self._ordered(range(self.ndim)[::-1], "Permute")

    @property
    def mT(self) -> Any:
        return self.transpose(-2, -1)

    def expand(self, *sizes: Any) -> Any:
        """Dimensions of size 1 repeated, without a copy."""
        new = geometry.sizes_of(sizes, "expand")
        shape, stride = geometry.expanded(self._shape, self._stride, new)
        return self._look(shape, stride, self._offset, "Expand")

    def expand_as(self, other: TensorBase) -> Any:
        return self.expand(other._shape)

    def narrow(self, dim: int, start: int, length: int) -> Any:
        """`length` elements of one dimension, from `start` on."""
        dim = geometry.wrap(dim, self.ndim)
        size = self._shape[dim]
        first = start + size if start < 0 else start
        if length < 0 or not 0 <= first <= size or first + length > size:
            raise RuntimeError(
                f"start ({start}) + length ({length}) exceeds dimension size ({size})"
            )
        return self._sliced(dim, first, length, 1)

    def _sliced(self, dim: int, start: int, length: int, step: int) -> Any:
        shape, stride = list(self._shape), list(self._stride)
        offset = self._offset + start * stride[dim]
        shape[dim], stride[dim] = length, stride[dim] * step
        return self._look(shape, stride, offset, "Slice")

    def select(self, dim: int, index: int) -> Any:
        """One element of a dimension, which is gone then."""
        dim = geometry.wrap(dim, self.ndim)
        size = self._shape[dim] if self._shape else 0
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")
        offset = self._offset + index % size * self._stride[dim]
        shape, stride = (of[:dim] + of[dim + 1 :] for of in (self._shape, self._stride))
        return self._look(shape, stride, offset, "Select")

    def unsqueeze(self, dim: int) -> Any:
        """A new dimension of size 1."""
        dim = geometry.wrap(dim, self.ndim + 1)
        step = self._shape[dim] * self._stride[dim] if dim < self.ndim else 1
        shape = (*self._shape[:dim], 1, *self._shape[dim:])
        stride = (*self._stride[:dim], step, *self._stride[dim:])
        return self._look(shape, stride, self._offset, "Unsqueeze")

    def squeeze(self, dim: int | None = None) -> Any:
        """Without its dimensions of size 1, or without one of them."""
        candidates = range(self.ndim) if dim is None else [geometry.wrap(dim, self.ndim)]
        gone = {d for d in candidates if self._shape and self._shape[d] == 1}
        return self._ordered([d for d in range(self.ndim) if d not in gone], "Squeeze")

    # --- copies -----------------------------------------------------------------------------------

    def clone(self, *, memory_format: Any = preserve_format) -> Any:
        """A copy with memory of its own."""
        if memory_format not in (preserve_format, contiguous_format):
            refuse(f"clone(memory_format={memory_format})")
        made = self.detach()
        made._storage = allocate(self._shape, self.numel(), self._dtype.itemsize)
        keep = memory_format is preserve_format
        packed = geometry.packed if keep else lambda shape, _stride: geometry.row_major(shape)
        made._offset, made._stride = 0, packed(self._shape, self._stride)
        elements = self._array
        if self._dtype is dt.bool:  # bytes from elsewhere may be neither 0 nor 1
            elements = elements.view(np.uint8) != 0
        np.copyto(made._array, elements)
        return made._came_from("Clone", self)

    def contiguous(self, memory_format: Any = contiguous_format) -> Any:
        """This tensor if its elements lie row by row, else a copy in which they do."""
        return self if self.is_contiguous() else self.clone(memory_format=memory_format)

    def detach(self) -> Any:
        """The same memory, without a gradient."""
        made = self._look(self._shape, self._stride, self._offset, "")
        made._requires_grad, made.grad_fn = False, None
        return made

    @property
    def data(self) -> Any:
        return self.detach()

    def cpu(self) -> Any:
        return self

    resolve_conj = resolve_neg = cpu

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self.grad_fn is not None:
            raise RuntimeError("only a leaf can be deep-copied; use `detach()`")
        storage = memo.get(id(self._storage)) or type(self._storage)(self._storage._raw.copy())
        memo[id(self._storage)] = storage
        made = type(self)._over(storage, self._dtype, self._shape, self._stride, self._offset)
        made._requires_grad = self._requires_grad
        return made

    def __copy__(self) -> Any:
        made = type(self)._over(self._storage, self._dtype, self._shape, self._stride, self._offset)
        made._requires_grad, made.grad_fn = self._requires_grad, self.grad_fn
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        refuse("pickling a tensor")
