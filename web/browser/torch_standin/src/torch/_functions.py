"""Methods of a tensor as functions, and the settings that change nothing here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _dtypes as dt
from ._arithmetic import meeting_dtype
from ._base import TensorBase
from ._tensor import Tensor

# `torch.sum(tensor)` is `tensor.sum()`, and so on.
_METHODS = (
    "abs add all allclose any argmax argmin clone conj div eq equal flatten floor_divide ge gt "
    "is_complex is_floating_point isfinite isinf isnan le logical_not lt max mean min mul narrow "
    "ne neg numel "
    "permute pow ravel remainder reshape resolve_conj resolve_neg select signbit squeeze sub "
    "sum swapaxes t transpose unbind unsqueeze bitwise_and bitwise_or bitwise_xor"
).split()


def _function(name: str) -> Callable[..., Any]:
    method = getattr(Tensor, name)

    def call(input: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(input, TensorBase):
            kind = type(input).__name__
            raise TypeError(f"{name}(): argument 'input' must be Tensor, not {kind}")
        return method(input, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tensor.{name}(…)` as a function."
    return call


globals().update({name: _function(name) for name in _METHODS})


def is_tensor(obj: Any) -> bool:
    return isinstance(obj, Tensor)


def promote_types(type1: dt.dtype, type2: dt.dtype) -> dt.dtype:
    """The dtype in which elements of both meet."""
    return dt.promote(type1, type2)


def result_type(tensor: Tensor, other: Any) -> dt.dtype:
    """The dtype of a calculation with a tensor and a tensor or number."""
    return meeting_dtype(tensor, other)


def get_default_dtype() -> dt.dtype:
    return dt.float32


def set_num_threads(count: int) -> None:
    """Accepted and without effect: there is one thread."""


def set_num_interop_threads(count: int) -> None:
    """Accepted and without effect: there is one thread."""


def get_num_threads() -> int:
    return 1


__all__ = [
    *_METHODS, "get_default_dtype", "get_num_threads", "is_tensor", "promote_types", "result_type",
    "set_num_interop_threads", "set_num_threads",
]  # fmt: skip
