"""How the stand-in refuses: it names what it lacks and where that exists, and never guesses."""

from __future__ import annotations

from typing import Any, NoReturn

# Functions of the real torch that learners reach for or that a message may name. They exist here,
# so that `hasattr` and `isinstance(…, torch.dtype)` answer as on the real one. Called, they refuse.
KNOWN_FUNCTIONS = frozenset(
    "save load matmul mm bmm einsum dot softmax log_softmax sigmoid tanh exp log sqrt where gather "
    "scatter topk sort argsort multinomial cumsum split chunk concat concatenate vstack hstack "
    "linspace eye diag outer compile as_strided clamp unique nonzero bincount histc "
    "randperm normal bernoulli broadcast_tensors set_default_dtype".split()
)


class NotInThisTorch(NotImplementedError, AttributeError):
    """A name or a way of calling that the stand-in lacks.

    Also an AttributeError, so that `hasattr` and `getattr` with a default work as everywhere.
    """


def sentence(what: str) -> str:
    return f"{what} is not in the small torch of this page; a submission runs on the real torch"


def refuse(what: str) -> NoReturn:
    """Raise `NotInThisTorch` for `what`."""
    raise NotInThisTorch(sentence(what))


def missing(owner: str, name: str) -> Any:
    """For a module's `__getattr__`: a function that refuses, or the refusal at once."""
    if name.startswith("__"):
        raise AttributeError(f"module '{owner}' has no attribute '{name}'")
    if owner == "torch" and name in KNOWN_FUNCTIONS:

        def refusing(*_args: Any, **_kwargs: Any) -> NoReturn:
            refuse(f"torch.{name}")

        refusing.__name__ = refusing.__qualname__ = name
        return refusing
    refuse(f"{owner}.{name}")
