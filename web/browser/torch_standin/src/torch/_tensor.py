"""`torch.Tensor`: the parts put together, and the ways to Python's and numpy's own values."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _convert
from . import _dtypes as dt
from . import _geometry as geometry
from ._base import TensorBase
from ._printing import representation
from ._reductions import Reductions
from ._refusal import refuse
from ._storage import allocate
from ._types import check_device, device


class Tensor(Reductions):
    """Numbers of one dtype in any number of dimensions, on the CPU."""

    _is_result = True
    # So that `array + tensor` is left to the tensor.
    __array_priority__ = 1000

    def __new__(cls, *data: Any) -> Any:
        if len(data) == 1 and not isinstance(data[0], (int, TensorBase)):
            from ._creation import tensor

            made = tensor(data[0], dtype=dt.float32)
            return cls._over(made._storage, dt.float32, made._shape)
        shape = geometry.check_sizes(geometry.sizes_of(data, "Tensor") if data else (0,))
        count = 0 if 0 in shape else int(np.prod(shape, dtype=object))
        return cls._over(allocate(shape, count, 4), dt.float32, shape)

    def __init__(self, *data: Any) -> None: ...

    # --- to other values --------------------------------------------------------------------------

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The same memory as a numpy array; refused for what numpy cannot show."""
        if self._requires_grad and not force:
            raise RuntimeError(
                "numpy() is refused for a tensor that requires grad; use tensor.detach().numpy()"
            )
        if self._dtype is dt.bfloat16:
            raise TypeError("numpy has no bfloat16 (ScalarType BFloat16)")
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if dtype is not None and array.dtype != np.dtype(dtype):
            if copy is False:
                raise ValueError(f"{self._dtype} becomes {np.dtype(dtype)} only in a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def tolist(self) -> Any:
        """Lists within lists of Python's numbers; a number alone for a 0-d tensor."""
        return self._values.tolist()

    def item(self) -> Any:
        """The only element, as a number of Python's."""
        if self.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {self.numel()} elements cannot be converted to Scalar"
            )
        return self._values.item()

    def __bool__(self) -> bool:
        if self.numel() != 1:
            many = "more than one value" if self.numel() else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.numel() != 1 or self._dtype._kind > dt.INTEGER:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __repr__(self) -> str:
        return representation(self)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if not self._shape else object.__format__(self, spec)

    # --- to other dtypes --------------------------------------------------------------------------

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Another dtype, as a copy; itself where nothing changes. The device is always the CPU."""
        copy = kwargs.pop("copy", False)
        target = self._dtype
        kwargs.pop("non_blocking", None)
        for given in (*args, *kwargs.values()):
            if isinstance(given, dt.dtype):
                target = given
            elif isinstance(given, TensorBase):
                target = given._dtype
            elif isinstance(given, (str, device)) or given is None:
                check_device(given)
            else:
                raise TypeError(f"to() takes a dtype, a device or a tensor, not {given!r}")
        if target is self._dtype:
            return self.clone() if copy else self
        elements = _convert.converted(self._array, self._dtype, target)
        return self._new(elements, target, "ToCopy", self)

    def type(self, dtype: Any = None) -> Any:
        """The name of the tensor type, or this tensor in another dtype."""
        if dtype is None:
            return f"torch.{self._dtype._legacy}Tensor"
        return self.to(dtype) if isinstance(dtype, dt.dtype) else refuse(f"Tensor.type({dtype!r})")

    def type_as(self, other: TensorBase) -> Any:
        return self.to(other._dtype)

    # --- small things -----------------------------------------------------------------------------

    @property
    def real(self) -> Any:
        return self._part(0) if self._dtype.is_complex else self

    @property
    def imag(self) -> Any:
        if not self._dtype.is_complex:
            raise RuntimeError(f"{self._dtype} has no imaginary part")
        return self._part(1)

    def _part(self, which: int) -> Any:
        return view_as_real(self).select(-1, which)

    def backward(self, *_args: Any, **_kwargs: Any) -> None:
        refuse("computing gradients (Tensor.backward)")

    def __matmul__(self, other: Any) -> Any:
        refuse("multiplying matrices (the operator @)")

    __rmatmul__ = __matmul__

    def cuda(self, *_args: Any) -> None:
        refuse("a GPU (Tensor.cuda)")

    def share_memory_(self) -> Any:
        refuse("memory shared between processes (Tensor.share_memory_)")

    def as_subclass(self, cls: Any) -> Any:
        """The same tensor as an instance of a subclass of `torch.Tensor`."""
        made = cls._over(self._storage, self._dtype, self._shape, self._stride, self._offset)
        return made._came_from("Alias", self)


Tensor.__module__ = "torch"


def view_as_real(tensor: Tensor) -> Tensor:
    """A view of complex numbers with one more dimension: real and imaginary part."""
    if not tensor._dtype.is_complex:
        raise RuntimeError(f"view_as_real() is for complex tensors, not for {tensor._dtype}")
    part = dt.float32 if tensor._dtype is dt.complex64 else dt.float64
    stride = (*(2 * step for step in tensor._stride), 1)
    return tensor._look((*tensor._shape, 2), stride, 2 * tensor._offset, "ViewAsReal", part)


def _shortcut(dtype: dt.dtype, name: str) -> Any:
    def convert(self: Tensor) -> Any:
        return self.to(dtype)

    convert.__name__, convert.__doc__ = name, f"This tensor as {dtype}."
    return convert


for _name, _dtype in {**dt.ALIASES, "bool": dt.bool, "bfloat16": dt.bfloat16}.items():
    setattr(Tensor, _name, _shortcut(_dtype, _name))
Tensor.byte, Tensor.char = _shortcut(dt.uint8, "byte"), _shortcut(dt.int8, "char")
