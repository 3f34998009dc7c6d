"""This is not PyTorch. It is a small stand-in for it, written on numpy for Python in a web page.

It has the part of torch that the course "mini-sglang from Scratch" uses: tensors on the CPU, their
dtypes, views, memory, bytes, simple arithmetic, and text that looks as torch's does. It has no
gradients, no GPU, no models and no speed. What it lacks it refuses with a NotImplementedError that
names it. A submission always runs on the real torch, and only that verdict counts.
"""

from __future__ import annotations

from typing import Any

from . import _dtypes, _functions, cuda, nn
from ._autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from ._creation import (
    arange,
    as_tensor,
    asarray,
    cat,
    empty,
    empty_like,
    empty_strided,
    from_numpy,
    frombuffer,
    full,
    full_like,
    ones,
    ones_like,
    stack,
    tensor,
    zeros,
    zeros_like,
)
from ._dtypes import (
    bfloat16,
    complex64,
    complex128,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._random import (
    Generator,
    default_generator,
    initial_seed,
    manual_seed,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    seed,
)
from ._refusal import NotInThisTorch, missing
from ._storage import UntypedStorage
from ._tensor import Tensor, view_as_real
from ._types import Size, contiguous_format, device, layout, memory_format, preserve_format, strided

__version__ = "0.1.0+page"

# Last, because from here on Python's own `bool`, `int`, `float`, `abs` and `sum` are hidden.
globals().update(_dtypes.ALIASES, bool=_dtypes.bool)
globals().update({name: getattr(_functions, name) for name in _functions.__all__})

__all__ = [
    "Generator", "NotInThisTorch", "Size", "Tensor", "UntypedStorage", "arange", "as_tensor",
    "asarray", "bfloat16", "bool", "cat", "complex64", "complex128", "contiguous_format", "cuda",
    "default_generator", "device", "dtype", "empty", "empty_like", "empty_strided", "enable_grad",
    "finfo", "float16", "float32", "float64", "from_numpy", "frombuffer", "full", "full_like",
    "iinfo", "inference_mode", "initial_seed", "int8", "int16", "int32", "int64",
    "is_grad_enabled", "layout", "manual_seed", "memory_format", "nn", "no_grad", "ones",
    "ones_like", "preserve_format", "rand", "rand_like", "randint", "randn", "randn_like", "seed",
    "set_grad_enabled", "stack", "strided", "tensor", "uint8", "uint16", "uint32", "uint64",
    "view_as_real", "zeros", "zeros_like", *_dtypes.ALIASES, *_functions.__all__,
]  # fmt: skip


def __getattr__(name: str) -> Any:
    return missing("torch", name)
