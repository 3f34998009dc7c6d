"""From many elements to few: sums, extremes, and whether all or any are true."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _convert
from . import _dtypes as dt
from . import _geometry as geometry
from ._arithmetic import Arithmetic
from ._base import TensorBase
from ._refusal import refuse


class Reductions(Arithmetic):
    """Reductions over everything, or over given dimensions where the result is one tensor."""

    def _axes(self, dim: Any) -> tuple[int, ...] | None:
        if dim is None or not self._shape:
            return None
        dims = dim if isinstance(dim, (tuple, list)) else (dim,)
        return tuple(geometry.wrap(d, self.ndim) for d in dims) or None

    def sum(self, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
        """The sum; of integers and bools in int64."""
        target = dtype or (dt.int64 if self._dtype._kind < dt.FLOAT else self._dtype)
        values = _convert.computed(_convert.converted(self._array, self._dtype, target), target)
        total = np.sum(values, self._axes(dim), target._compute, keepdims=keepdim)
        return self._new(_convert.stored(np.asarray(total), target), target, "Sum", self)

    def mean(self, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
        """The mean of floating point numbers."""
        target = dtype or self._dtype
        if target._kind < dt.FLOAT:
            raise RuntimeError(f"mean() is for floating point numbers, not for {target}")
        values = _convert.computed(_convert.converted(self._array, self._dtype, target), target)
        axes = self._axes(dim)
        count = math.prod(self._shape[a] for a in (range(self.ndim) if axes is None else axes))
        with np.errstate(all="ignore"):
            total = np.asarray(np.sum(values, axes, target._compute, keepdims=keepdim))
            means = total / target._compute.type(count)
        return self._new(_convert.stored(np.asarray(means), target), target, "Mean", self)

    def _truth(self, function: Any, dim: Any, keepdim: bool) -> Any:
        found = function(self._values != 0, self._axes(dim), keepdims=keepdim)
        return self._new(np.asarray(found, np.bool_), dt.bool, "")

    def all(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._truth(np.all, dim, keepdim)

    def any(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._truth(np.any, dim, keepdim)

    def _extreme(self, name: str, function: Any, given: Any) -> Any:
        if given:
            refuse(f"Tensor.{name}() with a dimension or a second tensor")
        if not self.numel():
            raise RuntimeError(f"{name}(): a tensor of 0 elements has no {name}")
        found = _convert.stored(np.asarray(function(self._values)), self._dtype)
        return self._new(found, self._dtype, name.title(), self)

    def max(self, *dim: Any) -> Any:
        """The largest element; NaN if there is one."""
        return self._extreme("max", np.max, dim)

    def min(self, *dim: Any) -> Any:
        """The smallest element; NaN if there is one."""
        return self._extreme("min", np.min, dim)

    def _place(self, name: str, function: Any, dim: Any, keepdim: bool) -> Any:
        if not self.numel():
            raise IndexError(f"{name}(): a tensor of 0 elements has no {name}")
        axis = None if dim is None or not self._shape else geometry.wrap(dim, self.ndim)
        found = function(self._values, axis, keepdims=keepdim and axis is not None)
        return self._new(np.asarray(found, np.int64), dt.int64, "")

    def argmax(self, dim: int | None = None, keepdim: bool = False) -> Any:
        """The index of the largest element, over everything or along a dimension."""
        return self._place("argmax", np.argmax, dim, keepdim)

    def argmin(self, dim: int | None = None, keepdim: bool = False) -> Any:
        return self._place("argmin", np.argmin, dim, keepdim)

    def equal(self, other: Any) -> bool:
        """Whether shape and values agree. NaN equals nothing."""
        if not isinstance(other, TensorBase):
            raise TypeError(f"equal() takes a Tensor, not {type(other).__name__}")
        return self._shape == other._shape and bool((self == other).all())

    def allclose(
        self, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
    ) -> bool:
        """Whether all values agree within `atol + rtol * abs(other)`."""
        if self._dtype is not other._dtype:
            raise RuntimeError(f"{self._dtype} and {other._dtype} are not compared by allclose()")
        geometry.broadcast(self._shape, other._shape)
        return bool(np.allclose(self._values, other._values, rtol, atol, equal_nan))
