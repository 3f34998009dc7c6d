"""`tensor[…]`: integers, slices, None and dots give views; masks and lists give copies."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _convert
from . import _dtypes as dt
from . import _geometry as geometry
from ._base import TensorBase
from ._views import Views


class Indexing(Views):
    """Reading, writing and walking through."""

    def __getitem__(self, index: Any) -> Any:
        items = _items(index)
        if any(map(_is_advanced, items)):
            return self._new(self._array[_for_numpy(items)], self._dtype, "Index")
        return self._seen(items)

    def __setitem__(self, index: Any, value: Any) -> None:
        items = _items(index)
        if not any(map(_is_advanced, items)):
            target = self._seen(items)
            target._requires_grad, target.grad_fn = self._requires_grad, self.grad_fn
            target._write(value)
            return
        elements = self._stored_value(value)
        try:
            self._writable()[_for_numpy(items)] = elements
        except ValueError:
            raise RuntimeError(
                f"a value of shape {list(elements.shape)} does not fit what it is assigned to"
            ) from None

    def _seen(self, items: tuple[Any, ...]) -> Any:
        used = sum(item is not None and item is not Ellipsis for item in items)
        if used > self.ndim:
            raise IndexError(f"too many indices ({used}) for tensor of dimension {self.ndim}")
        seen: Any = self
        dim = 0
        for item in items:
            if item is None:
                seen = seen.unsqueeze(dim)
                dim += 1
            elif item is Ellipsis:
                dim += self.ndim - used
            elif isinstance(item, slice):
                seen = seen._cut(dim, item)
                dim += 1
            else:
                seen = seen.select(dim, _whole(item))
        if seen is self:
            seen = self._look(self._shape, self._stride, self._offset, "Alias")
        return seen

    def _cut(self, dim: int, part: slice) -> Any:
        if part.step is not None and operator.index(part.step) < 1:
            raise ValueError("the step of a slice must be greater than zero")
        if part == slice(None):
            return self
        start, stop, step = part.indices(self._shape[dim])
        # Where nothing is left, the view begins no later than the tensor ends, as in torch.
        length = max(0, -((start - stop) // step))
        return self._sliced(dim, start, length, step)

    def _write(self, value: Any) -> None:
        elements = self._stored_value(value)
        while elements.ndim > self.ndim and elements.shape[0] == 1:
            elements = elements[0]
        geometry.expanded(elements.shape, (0,) * elements.ndim, self._shape)
        np.copyto(self._writable(), elements)

    def _stored_value(self, value: Any) -> np.ndarray:
        """What is written: a tensor, an array or a number, as elements of this tensor's dtype."""
        if isinstance(value, TensorBase):
            # Through a copy: the two may share memory.
            return _convert.converted(value._array, value._dtype, self._dtype).copy()
        if isinstance(value, np.ndarray):
            return _convert.stored(value, self._dtype)
        if _convert.kind_of_number(value) is None:
            kind = type(value).__name__
            raise TypeError(f"a {kind} cannot be assigned to a {type(self).__name__}")
        return _convert.stored_number(value, self._dtype)

    def copy_(self, source: Any, non_blocking: bool = False) -> Any:
        """Write the elements of `source` into this memory, converted and repeated as needed."""
        if not isinstance(source, TensorBase):
            raise TypeError(f"copy_() takes a Tensor, not {type(source).__name__}")
        self._write(source)
        return self

    def fill_(self, value: Any) -> Any:
        self._write(value)
        return self

    def zero_(self) -> Any:
        return self.fill_(0)

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of a 0-d tensor")
        return self._shape[0]

    def __iter__(self) -> Any:
        if not self._shape:
            raise TypeError("iteration over a 0-d tensor")
        return (self.select(0, i) for i in range(self._shape[0]))

    def __contains__(self, value: Any) -> bool:
        if isinstance(value, TensorBase) or _convert.kind_of_number(value) is not None:
            return bool((self == value).any())
        raise RuntimeError(f"a tensor contains numbers, not a {type(value).__name__}")

    def unbind(self, dim: int = 0) -> tuple[Any, ...]:
        """All slices along a dimension."""
        dim = geometry.wrap(dim, self.ndim)
        return tuple(self.select(dim, i) for i in range(self._shape[dim]))


def _items(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _is_advanced(item: Any) -> bool:
    if isinstance(item, TensorBase):
        return bool(item._shape) or item._dtype is dt.bool
    return isinstance(item, (bool, list, range, np.ndarray))


def _whole(item: Any) -> int:
    if isinstance(item, str):
        raise TypeError("an index cannot be a str")
    try:
        return operator.index(item)
    except TypeError:
        raise IndexError(
            "an index is an integer, a slice, an ellipsis (`...`), None or a tensor, this is a "
            f"{type(item).__name__}"
        ) from None


def _for_numpy(items: tuple[Any, ...]) -> tuple[Any, ...]:
    given = []
    for item in items:
        if isinstance(item, TensorBase):
            if item._dtype._kind > dt.INTEGER:
                raise IndexError(f"a tensor of {item._dtype} cannot be an index")
            item = item._array
        elif isinstance(item, (list, range)):
            item = np.array(item) if len(item) else np.array(item, np.int64)
        given.append(item)
    return tuple(given)
