"""The memory that tensors look into; several tensors may share one storage."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ._types import CPU, device

# What numpy can address in the page, where it has 32-bit sizes. Checked before memory is asked for,
# because a desktop may promise terabytes that it does not have.
MAX_BYTES = 2**31 - 1


class UntypedStorage:
    """Bytes in a row. `raw` is a numpy array of uint8 and keeps whatever owns the memory alive."""

    def __init__(self, raw: np.ndarray) -> None:
        self._raw = raw

    @property
    def device(self) -> device:
        return CPU

    def nbytes(self) -> int:
        return self._raw.size

    size = nbytes

    def data_ptr(self) -> int:
        """The address of the first byte; 0 if there is none."""
        return self._raw.ctypes.data if self._raw.size else 0

    def tolist(self) -> list[int]:
        return self._raw.tolist()

    def __len__(self) -> int:
        return self._raw.size

    def __getitem__(self, index: int | slice) -> int | UntypedStorage:
        if isinstance(index, slice):
            return UntypedStorage(self._raw[index])
        return int(self._raw[index])

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def __bytes__(self) -> bytes:
        return self._raw.tobytes()

    def __repr__(self) -> str:
        lines = [f" {byte}" for byte in self.tolist()]
        lines.append(f"[torch.storage.UntypedStorage(device=cpu) of size {len(self)}]")
        return "\n".join(lines)


UntypedStorage.__module__ = "torch.storage"


def allocate(sizes: Sequence[int], count: int, itemsize: int) -> UntypedStorage:
    """Room for `count` elements, with whatever bytes it held; RuntimeError if it is too much.

    `sizes` is the shape that they are for, for the error's words.
    """
    if count * itemsize > MAX_BYTES:
        exact = math.prod(sizes)
        raise RuntimeError(
            f"there is not enough memory for a tensor of shape {list(sizes)}: {exact:,} elements "
            f"of {itemsize} bytes"
        )
    try:
        return UntypedStorage(np.empty(count * itemsize, np.uint8))
    except MemoryError:
        raise RuntimeError(f"there is not enough memory for {count * itemsize:,} bytes") from None


def of_array(array: np.ndarray) -> UntypedStorage:
    """The memory of a numpy array with no negative strides, from its first byte to its last."""
    if array.flags.c_contiguous:
        return UntypedStorage(array.reshape(-1).view(np.uint8))
    reach = sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True))
    count = reach // array.itemsize + 1 if array.size else 0
    flat = np.lib.stride_tricks.as_strided(array, (count,), (array.itemsize,))
    return UntypedStorage(flat.view(np.uint8))
