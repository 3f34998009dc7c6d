"""Random numbers: the same ones as the real torch draws on a CPU from the same seed.

Both use the generator MT19937. What torch makes of its 32-bit outputs is written down at each
function, so a test sees the same values in the page as in the judge. Only `randn` of 16 numbers or
more may differ in the last bit, because torch has its own approximations of log, sin and cos there.
"""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from . import _convert
from . import _dtypes as dt
from . import _geometry as geometry
from ._creation import empty
from ._refusal import refuse
from ._tensor import Tensor
from ._types import CPU, check_device, device

# From here on a range of integers is drawn from 64 bits, so that its numbers stay evenly likely.
_WIDE_RANGE = 2**28
_DEFAULT_SEED = 67280421310721
# torch draws this many normally distributed numbers at a time; fewer come one by one.
_BLOCK = 16
# Of how many random bits a number from 0 to 1 is made; the 16-bit floats are rounded from 24.
_RANDOM_BITS = {dt.bfloat16: 24, dt.float16: 24, dt.float32: 24, dt.float64: 53}


class Generator:
    """A source of random numbers with a seed of its own."""

    def __init__(self, device: Any = "cpu") -> None:
        check_device(device)
        self.manual_seed(_DEFAULT_SEED)

    @property
    def device(self) -> device:
        return CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start over from `seed`, of which the lower 32 bits count."""
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise RuntimeError("a seed has at most 64 bits")
        self._seed = seed % 2**64
        self._source = np.random.RandomState(self._seed & 0xFFFFFFFF)
        self._spare_normal: float | None = None
        return self

    def initial_seed(self) -> int:
        return self._seed

    def seed(self) -> int:
        """Start over from a seed that nobody knows; returns it."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def _words(self, count: int) -> np.ndarray:
        return self._source.randint(0, 2**32, count, np.uint32)

    def _double_words(self, count: int) -> np.ndarray:
        words = self._words(2 * count).astype(np.uint64)
        return (words[0::2] << np.uint64(32)) | words[1::2]

    def _uniform(self, count: int, bits: int) -> np.ndarray:
        """Numbers from 0 to 1, without 1: made of the lower `bits`."""
        words = self._words(count) if bits <= 32 else self._double_words(count)
        mask = words.dtype.type(2**bits - 1)
        return (words & mask).astype(np.float64) * 2.0**-bits

    def _normal(self) -> float:
        """One normally distributed number (Box and Muller); they come in pairs."""
        if self._spare_normal is not None:
            found, self._spare_normal = self._spare_normal, None
            return found
        turn, distance = self._uniform(2, 53).tolist()
        radius = math.sqrt(-2.0 * math.log1p(-distance))
        self._spare_normal = radius * math.sin(2.0 * math.pi * turn)
        return radius * math.cos(2.0 * math.pi * turn)

    def _normals(self, count: int, dtype: dt.dtype) -> np.ndarray:
        if count < _BLOCK:
            return np.array([self._normal() for _ in range(count)], np.float64)
        if dtype not in (dt.float32, dt.float64):
            refuse(f"torch.randn of {_BLOCK} or more numbers in {dtype}")
        bits = _RANDOM_BITS[dtype]
        drawn = self._uniform(count, bits).astype(dtype._compute)
        whole = count // _BLOCK * _BLOCK
        drawn[:whole] = _blocks(drawn[:whole])
        if whole < count:  # the last block is drawn again, whole
            drawn[-_BLOCK:] = _blocks(self._uniform(_BLOCK, bits).astype(dtype._compute))
        return drawn


Generator.__module__ = "torch"
default_generator = Generator()


def _blocks(uniform: np.ndarray) -> np.ndarray:
    halves = uniform.reshape(-1, 2, _BLOCK // 2)
    one = uniform.dtype.type
    radius = np.sqrt(one(-2) * np.log(one(1) - halves[:, 0]))
    angle = one(2 * math.pi) * halves[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).reshape(-1)


def manual_seed(seed: int) -> Generator:
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    return default_generator.initial_seed()


def seed() -> int:
    return default_generator.seed()


def _filled(
    size: tuple[Any, ...], options: dict[str, Any], generator: Generator | None, draw: Any
) -> Tensor:
    made = empty(*size, **options)
    if made.dtype not in _RANDOM_BITS:
        raise NotImplementedError(f"random numbers of {made.dtype} are made by torch.randint alone")
    values = draw(generator or default_generator, made.numel(), made.dtype)
    made.detach()._array[...] = _convert.stored(values, made.dtype).reshape(made.shape)
    return made


def _below_one(generator: Generator, count: int, dtype: dt.dtype) -> np.ndarray:
    drawn = generator._uniform(count, _RANDOM_BITS[dtype])
    rounded = _convert.computed(_convert.stored(drawn, dtype), dtype)
    return np.where(rounded == 1, 0, rounded)  # 1 lies outside, so torch turns it around


def rand(*size: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Numbers from 0 to 1, all equally likely."""
    return _filled(size, options, generator, _below_one)


def randn(*size: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Normally distributed numbers, with mean 0 and variance 1."""
    return _filled(size, options, generator, Generator._normals)


def randint(
    *bounds: Any, generator: Generator | None = None, dtype: Any = None, **options: Any
) -> Tensor:
    """`randint([low,] high, size)`: whole numbers from `low` (0) up to, without, `high`."""
    given = {key: options.pop(key) for key in ("low", "high", "size") if key in options}
    places = [key for key in ("low", "high", "size") if key not in given]
    if len(bounds) < len(places):
        places.remove("low")
    given |= dict(zip(places, bounds, strict=True))
    low, high, dtype = int(given.get("low", 0)), int(given["high"]), dtype or dt.int64
    if low >= high:
        raise RuntimeError(f"randint() is empty from {low} to {high}")
    for bound in (low, high - 1):
        if _convert.computed(_convert.stored(np.array(bound), dtype), dtype) != bound:
            raise RuntimeError(f"{bound} is out of bounds for {dtype}")
    source = generator or default_generator
    made = empty(geometry.sizes_of((given["size"],), "randint"), dtype=dtype, **options)
    count, width = made.numel(), high - low
    words = source._words(count) if width < _WIDE_RANGE else source._double_words(count)
    found = (words.astype(np.uint64) % np.uint64(width)).astype(np.int64) + np.int64(low)
    made._array[...] = _convert.stored(found, dtype).reshape(made.shape)
    return made


def rand_like(input: Tensor, **options: Any) -> Tensor:
    return rand(tuple(input.shape), **{"dtype": input.dtype, **options})


def randn_like(input: Tensor, **options: Any) -> Tensor:
    return randn(tuple(input.shape), **{"dtype": input.dtype, **options})
