"""What is left of autograd: whether a tensor *would* need a gradient. None is ever computed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ContextDecorator
from typing import Any

_enabled = True


class GradientStep:
    """Stands for the operation that a tensor came from; its only use is to be shown."""

    def __init__(self, name: str) -> None:
        self._name = f"{name}Backward0"

    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<{self._name}>"


def is_grad_enabled() -> bool:
    """Whether results of operations remember that they need a gradient."""
    return _enabled


class set_grad_enabled(ContextDecorator):
    """Switch remembering on or off: at once, and back at the end of a `with` block."""

    def __init__(self, mode: bool) -> None:
        self._before = _enabled
        self._set(mode)

    def __enter__(self) -> None: ...

    def __exit__(self, *_error: object) -> None:
        self._set(self._before)

    @staticmethod
    def _set(mode: bool) -> None:
        global _enabled
        _enabled = mode


class no_grad(ContextDecorator):
    """`with torch.no_grad():` or `@torch.no_grad()`: results need no gradient."""

    mode = False

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        made = super().__new__(cls)
        return made if function is None else made(function)

    def __init__(self, function: None = None) -> None:
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(_enabled)
        set_grad_enabled._set(self.mode)

    def __exit__(self, *_error: object) -> None:
        set_grad_enabled._set(self._before.pop())


class enable_grad(no_grad):
    """The reverse of `no_grad`, inside of it."""

    mode = True


class inference_mode(no_grad):
    """Here the same as `no_grad`."""
