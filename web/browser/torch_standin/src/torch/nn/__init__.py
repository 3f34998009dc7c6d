"""Of torch.nn only `Parameter`, which is a tensor that requires a gradient."""

from typing import Any

from .._refusal import missing
from .parameter import Parameter

__all__ = ["Parameter"]


def __getattr__(name: str) -> Any:
    return missing("torch.nn", name)
