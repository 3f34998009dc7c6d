"""Shapes and strides as plain numbers: which elements a view sees. Nothing here touches memory.

Strides count elements, not bytes, as in torch.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any

Dims = tuple[int, ...]


def row_major(shape: Sequence[int]) -> Dims:
    """The strides of elements that lie row by row without gaps."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def is_row_major(shape: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether the elements lie row by row. The stride of a single element means nothing."""
    if 0 in shape:
        return True
    expected = row_major(shape)
    return all(n == 1 or s == e for n, s, e in zip(shape, stride, expected, strict=True))


def packed(shape: Dims, stride: Dims) -> Dims:
    """Strides without gaps that keep the order in which the dimensions lie in memory.

    An expanded dimension (stride 0) has no place of its own and stays where it stands.
    """
    if is_dense(shape, stride) and 0 not in shape:
        return stride
    inward: list[int] = []  # the dimensions from the innermost to the outermost
    for dim in reversed(range(len(shape))):
        place = len(inward)
        for at in reversed(range(len(inward))):
            other = inward[at]
            if 0 in (stride[dim], stride[other]):
                continue
            if (stride[dim], shape[dim]) >= (stride[other], shape[other]):
                break
            place = at
        inward.insert(place, dim)
    strides, step = [0] * len(shape), 1
    for dim in inward:
        strides[dim] = step
        step *= max(shape[dim], 1)
    return tuple(strides)


def is_dense(shape: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether the elements fill their memory without gaps or overlap, in whatever order."""
    reached = 1
    for step, size in sorted(zip(stride, shape, strict=True)):
        if size > 1:
            if step != reached:
                return False
            reached *= size
    return True


def overlaps(shape: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether an expanded dimension makes several elements share one place in memory."""
    return any(n > 1 and s == 0 for n, s in zip(shape, stride, strict=True))


def reach(shape: Sequence[int], stride: Sequence[int]) -> int:
    """How many elements of memory a tensor spans, from its first element to its last."""
    if 0 in shape:
        return 0
    return 1 + sum((n - 1) * s for n, s in zip(shape, stride, strict=True))


def wrap(dim: int, dims: int) -> int:
    """A dimension counted from the end, counted from the front; IndexError outside."""
    dims = max(dims, 1)
    if not -dims <= dim < dims:
        raise IndexError(
            f"Dimension out of range: it is {dim} and must lie between {-dims} and {dims - 1}"
        )
    return dim % dims


def sizes_of(args: Sequence[Any], function: str) -> Dims:
    """Sizes given as `f(2, 3)` or as `f((2, 3))`."""
    given = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    try:
        if any(isinstance(size, (float, str, bool)) for size in given):
            raise TypeError
        return tuple(operator.index(size) for size in given)
    except TypeError:
        kinds = ", ".join(type(size).__name__ for size in given)
        raise TypeError(f"{function}(): a size is an int, this is ({kinds})") from None


def check_sizes(shape: Dims) -> Dims:
    """`shape`, or RuntimeError for a negative size."""
    for size in shape:
        if size < 0:
            raise RuntimeError(f"a tensor cannot have the negative dimension {size}: {list(shape)}")
    return shape


def inferred(shape: Dims, count: int) -> Dims:
    """`shape` with its one -1 replaced, to hold `count` elements; RuntimeError if it cannot."""
    open_dims = [i for i, size in enumerate(shape) if size == -1]
    for i, size in enumerate(shape):
        if size < -1:
            raise RuntimeError(f"invalid shape dimension {size} at index {i} of {list(shape)}")
    if len(open_dims) > 1:
        raise RuntimeError(f"only one dimension can be inferred, {list(shape)} has several -1")
    known = math.prod(size for size in shape if size != -1)
    if open_dims and known == 0 and count == 0:
        raise RuntimeError(f"the -1 in {list(shape)} is ambiguous for a tensor of 0 elements")
    if open_dims and known and count % known == 0:
        at = open_dims[0]
        return (*shape[:at], count // known, *shape[at + 1 :])
    if open_dims or known != count:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return shape


def view_strides(shape: Dims, stride: Dims, new: Dims) -> Dims | None:
    """The strides that show the same elements in the shape `new`; None if only a copy can."""
    if 0 in shape:
        return stride if new == shape else row_major(new)
    strides = [0] * len(new)
    at = len(new) - 1
    for count, step in _runs_from_last(shape, stride):
        taken = 1
        while at >= 0 and (taken < count or new[at] == 1):
            strides[at] = taken * step
            taken *= new[at]
            at -= 1
        if taken != count:
            return None
    return tuple(strides)


def _runs_from_last(shape: Dims, stride: Dims) -> Iterator[tuple[int, int]]:
    """Neighbouring dimensions joined where they go on evenly: (elements, stride)."""
    if not shape:
        yield 1, 1
        return
    count, step = shape[-1], stride[-1]
    for size, wider in zip(shape[-2::-1], stride[-2::-1], strict=True):
        if size == 1 or wider == count * step:
            count *= size
        else:
            yield count, step
            count, step = size, wider
    yield count, step


def expanded(shape: Dims, stride: Dims, new: Dims) -> tuple[Dims, Dims]:
    """Shape and strides with dimensions of size 1 repeated; -1 keeps a size. Else RuntimeError."""
    added = len(new) - len(shape)
    if added < 0:
        raise RuntimeError(f"a tensor of shape {list(shape)} cannot be expanded to {list(new)}")
    sizes, strides = list(new), [0] * len(new)
    for i in reversed(range(len(new))):
        have, step = 1, 1
        if i >= added:
            have, step = shape[i - added], stride[i - added]
        elif i + 1 < len(new):
            step = sizes[i + 1] * strides[i + 1]
        wanted = have if new[i] == -1 and i >= added else new[i]
        if wanted < 0 or (have != 1 and have != wanted):
            raise RuntimeError(
                f"The expanded size ({wanted}) does not match the existing size ({have}) at "
                f"dimension {i}: {list(shape)} cannot become {list(new)}"
            )
        sizes[i], strides[i] = wanted, step if have == wanted else 0
    return tuple(sizes), tuple(strides)


def broadcast(a: Dims, b: Dims) -> Dims:
    """The shape in which two tensors meet; RuntimeError naming the dimension where they do not."""
    dims = max(len(a), len(b))
    a, b = (1,) * (dims - len(a)) + a, (1,) * (dims - len(b)) + b
    for i in reversed(range(dims)):
        if a[i] != b[i] and 1 not in (a[i], b[i]):
            raise RuntimeError(
                f"The size of tensor a ({a[i]}) does not match the size of tensor b ({b[i]}) at "
                f"dimension {i}"
            )
    return tuple(m if n == 1 else n for n, m in zip(a, b, strict=True))
