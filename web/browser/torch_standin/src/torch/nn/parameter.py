"""A tensor that a model learns."""

from __future__ import annotations

from typing import Any

from .._tensor import Tensor


class Parameter(Tensor):
    """The memory of another tensor, marked as something to learn."""

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        source = Tensor() if data is None else data.detach()
        made = cls._over(
            source._storage, source._dtype, source._shape, source._stride, source._offset
        )
        made.requires_grad = requires_grad
        return made

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None: ...

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


Parameter.__module__ = "torch.nn.parameter"
