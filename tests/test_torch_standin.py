"""The page's stand-in for torch beside the real one: the same text, values and bytes."""

from __future__ import annotations

import copy
import importlib.util
import itertools
import json
import math
import os
import pickle
import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "web" / "browser" / "torch_standin" / "src"

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def load_page_torch() -> ModuleType:
    """The stand-in under a name of its own, so that it does not meet the real torch."""
    init = SOURCE / "torch" / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        "page_torch", init, submodule_search_locations=[str(init.parent)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["page_torch"] = module
    spec.loader.exec_module(module)
    return module


page = load_page_torch()

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
MORE_DTYPES = ["uint16", "uint32", "uint64", "complex64", "complex128"]


# --- what two tensors are compared by -------------------------------------------------------------


def elements(lib: Any, tensor: Any) -> bytes:
    if not tensor.numel():
        return b""
    values = tensor.detach().reshape(-1).clone(memory_format=lib.contiguous_format)
    return values.view(lib.uint8).numpy().tobytes()


def traits(lib: Any, value: Any) -> Any:
    """Everything that a learner can see of a result."""
    if isinstance(value, lib.Tensor):
        return {
            "repr": repr(value),
            "dtype": str(value.dtype),
            "shape": repr(value.shape),
            "stride": value.stride(),
            "contiguous": value.is_contiguous(),
            "requires_grad": value.requires_grad,
            "tolist": repr(value.tolist()),
            "bytes": elements(lib, value),
        }
    if isinstance(value, (list, tuple)):
        return [traits(lib, item) for item in value]
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tobytes()
    return repr(value)


def outcome(lib: Any, run: Callable[[Any], Any]) -> Any:
    try:
        return traits(lib, run(lib))
    except Exception as error:
        return type(error).__name__


# --- 5,000 random tensors -------------------------------------------------------------------------

SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -2.5, 1e-5, 12345.678, 1e9]


def numbers(rng: random.Random, name: str, count: int) -> list[Any]:
    if name == "bool":
        return [rng.random() < 0.5 for _ in range(count)]
    if "int" in name:
        bits = int(name.lstrip("uint"))
        low, high = (0, 2**bits) if name[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))
        low, high = rng.choice([(low, high), (max(low, -9), 100)])
        return [rng.randrange(low, high) for _ in range(count)]
    scale = rng.choice([1.0, 1.0, 1e-4, 1e3, 1e6])
    draw = rng.choice([lambda: rng.gauss(0, scale), lambda: float(rng.randint(-50, 50))])
    odd = rng.choice([0.0, 0.0, 0.1, 0.6])
    reals = [rng.choice(SPECIAL) if rng.random() < odd else draw() for _ in range(2 * count)]
    if "complex" in name:
        return [complex(*reals[i : i + 2]) for i in range(0, 2 * count, 2)]
    return reals[:count]


def view_of(rng: random.Random) -> Callable[[Any], Any]:
    """A random way to look at a tensor, the same for both libraries."""
    step, cut, order = rng.randint(2, 3), rng.randint(0, 2), rng.random()
    kind = rng.choice(["plain", "plain", "t", "step", "permute", "expand", "select", "narrow"])

    def look(tensor: Any) -> Any:
        dims = tensor.dim()
        if kind == "t" and dims <= 2:
            return tensor.t()
        if kind == "step" and dims:
            return tensor[cut::step]
        if kind == "permute":
            orders = list(itertools.permutations(range(dims)))
            return tensor.permute(orders[int(order * len(orders))])
        if kind == "expand":
            return tensor.unsqueeze(0).expand(step, *tensor.shape)
        if kind == "select" and dims and tensor.shape[-1] > cut:
            return tensor[..., cut]
        if kind == "narrow" and dims and tensor.shape[0] > cut:
            return tensor.narrow(0, cut, 1)
        return tensor

    return look


def random_pair(rng: random.Random, name: str) -> tuple[Any, Any]:
    largest = rng.choice([3, 3, 5, 12, 40])
    shape = [rng.randint(0 if rng.random() < 0.2 else 1, largest) for _ in range(rng.randint(0, 3))]
    if math.prod(shape) > 3000:
        shape = shape[:2]
    count = math.prod(shape)
    look, again = view_of(rng), view_of(rng)
    real = torch.tensor(numbers(rng, name, count), dtype=getattr(torch, name)).reshape(shape)
    raw = bytearray(elements(torch, real))
    if raw:
        made = page.frombuffer(raw, dtype=getattr(page, name)).reshape(shape)
    else:
        made = page.empty(shape, dtype=getattr(page, name))
    return again(look(made)), again(look(real))


@pytest.mark.parametrize("name", DTYPES + MORE_DTYPES)
def test_random_tensors_look_the_same(name):
    rng = random.Random(f"tensors of {name}")
    for _ in range(500 if name in DTYPES else 200):
        made, real = random_pair(rng, name)
        assert traits(page, made) == traits(torch, real)


@pytest.mark.parametrize("name", DTYPES)
def test_values_become_the_same_elements(name):
    rng = random.Random(f"values of {name}")
    for _ in range(100):
        values = numbers(rng, name, rng.randint(0, 30))
        made = page.tensor(values, dtype=getattr(page, name))
        real = torch.tensor(values, dtype=getattr(torch, name))
        assert traits(page, made) == traits(torch, real)
        assert repr(page.tensor(values)) == repr(torch.tensor(values))


# --- conversions ----------------------------------------------------------------------------------


def same_but_for_nan(made: Any, real: Any) -> bool:
    """Equal elements, where a NaN may have other bits: those of torch depend on the processor."""
    if not real.dtype.is_floating_point:
        return elements(page, made) == elements(torch, real)
    nan = real.isnan()
    return made.isnan().tolist() == nan.tolist() and [repr(v) for v in made.tolist() if v == v] == [
        repr(v) for v in real[~nan].tolist()
    ]


@pytest.mark.parametrize(("source", "target"), list(itertools.permutations(DTYPES, 2)))
def test_conversions(source, target):
    rng = random.Random(f"{source} to {target}")
    values = numbers(rng, source, 200)
    if source.startswith("float"):
        values += [
            0.1,
            65519.0,
            65520.0,
            1e-8,
            6e-8,
            3e38,
            5e-324,
            3e9,
            -3e9,
            1e19,
            300.7,
            *SPECIAL,
        ]
    real = torch.tensor(values, dtype=getattr(torch, source))
    made = page.tensor(values, dtype=getattr(page, source))
    assert same_but_for_nan(made, real)
    assert same_but_for_nan(made.to(getattr(page, target)), real.to(getattr(torch, target)))


def test_bfloat16_rounds_every_bit_pattern_as_torch_does():
    bits = np.arange(2**16, dtype=np.uint32)
    for low in (0x0000, 0x0001, 0x7FFF, 0x8000, 0x8001, 0xFFFF):
        floats = (bits << np.uint32(16) | np.uint32(low)).view(np.float32)
        made, real = (
            page.from_numpy(floats).to(page.bfloat16),
            torch.from_numpy(floats).to(torch.bfloat16),
        )
        real_bits, finite = real.view(torch.int16).numpy(), ~np.isnan(floats)
        assert (made.view(page.int16).numpy()[finite] == real_bits[finite]).all()
        assert bool(made.isnan().numpy()[~finite].all())
        assert set(made.view(page.int16).numpy()[~finite].tolist()) <= {0x7FC0}
    every = page.frombuffer(bytearray(bits.astype(np.uint16).tobytes()), dtype=page.bfloat16)
    theirs = torch.frombuffer(bytearray(bits.astype(np.uint16).tobytes()), dtype=torch.bfloat16)
    assert elements(page, every.float()) == elements(torch, theirs.float())
    assert repr(every) == repr(theirs)


# --- one table of operations and errors -----------------------------------------------------------

# `T` is the library, `m` a matrix, `f` floats, `e` empty, `g` needs a gradient, `b` bools.
OPERATIONS = """
T.arange(6).reshape(2, 3).t().view(-1)
T.arange(6).view(4)
T.arange(6).reshape(-1, 4)
T.arange(6).reshape(-1, -1)
T.arange(6).reshape(-2, 3)
T.arange(6).reshape("a")
T.arange(6).reshape(2.0)
T.arange(6).reshape()
T.arange(24).reshape(2, 3, 4).permute(2, 0, 1).reshape(4, 6)
T.arange(24).reshape(2, 3, 4).transpose(0, 1).view(3, 2, 2, 2)
T.arange(24).reshape(2, 3, 4).view(6, -1)
T.arange(24).reshape(2, 1, 12)[:, :, ::2].view(2, 2, 1, 3)
e.reshape(-1, 0)
e.reshape(0, 7)
T.zeros(1).reshape(())
T.frombuffer(b"", dtype=T.int32)
T.frombuffer(bytearray(6), dtype=T.int32)
T.frombuffer(bytearray(8), dtype=T.int32, count=3)
T.frombuffer(bytearray(8), dtype=T.int32, count=0)
T.frombuffer(bytearray(8), dtype=T.int32, offset=8)
T.frombuffer(bytearray(8), dtype=T.int32, offset=3)
T.frombuffer(bytearray(range(8)), dtype=T.int32, offset=3, count=1)
T.frombuffer(b"abcdefgh", dtype=T.int16)
T.frombuffer(memoryview(b"abcdefgh")[2:], dtype=T.int16)
T.frombuffer(5, dtype=T.int32)
T.frombuffer("abc", dtype=T.int32)
T.frombuffer(bytearray(8))
T.frombuffer(bytearray(8), dtype="int32")
T.tensor([[1], [1, 2]])
T.tensor("a")
T.tensor(b"ab")
T.tensor(b"ab", dtype=T.uint8)
T.tensor(["a"])
T.tensor([None])
T.tensor(None)
T.tensor({1: 2})
T.tensor({1})
T.tensor([1, 2.5, True])
T.tensor([True, 1])
T.tensor(1j)
T.tensor([1 + 2j, complex(math.nan, -1.5)])
T.tensor(2**63)
T.tensor(300, dtype=T.uint8)
T.tensor(-1, dtype=T.uint8)
T.tensor([2**40], dtype=T.int32)
T.tensor(1.5, dtype=T.int32)
T.tensor(math.nan, dtype=T.int32)
T.tensor(math.nan, dtype=T.bfloat16).view(T.int16)
T.tensor(1e10, dtype=T.float16)
T.tensor(bytearray(b"ab"))
T.tensor(range(3))
T.tensor([[], []])
T.tensor(())
T.tensor([np.int32(3), np.float64(2)])
T.tensor([T.tensor(1), T.tensor(2.5)])
T.tensor(np.arange(3, dtype="u2"))
T.tensor(np.arange(6.0).reshape(2, 3).T)
T.tensor(np.array(["a"]))
T.tensor(np.arange(3)[::-1])
T.tensor(np.arange(6).reshape(2, 3)[:, ::2])
T.tensor(m, dtype=T.int8)
T.tensor([1], dtype="int32")
T.as_tensor([1, 2])
T.from_numpy(np.arange(6, dtype="i2").reshape(2, 3).T)
T.from_numpy(np.arange(6, dtype="i2")[::2])
T.from_numpy(np.arange(3)[::-1])
T.from_numpy(np.arange(3, dtype=">i4"))
T.from_numpy(np.frombuffer(b"abcd", np.uint8))
T.from_numpy([1])
T.arange(3, 12, 4)
T.arange(5, 0, -2)
T.arange(1, 2, 0.25)
T.arange(2.0)
T.arange(0)
T.arange(3, dtype=T.bfloat16)
T.arange(3, 0)
T.arange(0, 1, 0)
T.zeros(2, 3)
T.zeros((2, 0))
T.ones(2, dtype=T.bool)
T.ones([2, 2], dtype=T.bfloat16)
T.full((2,), 7)
T.full((2, 2), 0.5, dtype=T.float16)
T.full((2,), True)
T.zeros(-1)
T.zeros(2.5)
T.empty("a")
T.empty([2, -1])
T.empty(10**9, 10**9, 10**9)
T.empty(10**6, 10**6)
T.empty(0, 4)
T.empty_strided((2, 2), (1,))
T.empty_strided((2, 3), (1, 2), dtype=T.int32).copy_(T.arange(6).reshape(2, 3))
T.zeros_like(m)
T.ones_like(f, dtype=T.int8)
T.Tensor([1, 2])
T.Tensor(2, 3).shape
T.Tensor()
T.Size([1, 2])
T.Size([1, 2]).numel()
T.Size([1, 2, 3])[1:]
T.Size([1]) + (2,)
T.zeros(2, 3).size(1)
T.zeros(2).size(3)
T.device("cpu")
str(T.device("cpu:0"))
T.device("cpu") == T.device("cpu", 0)
m.device
m.layout
T.contiguous_format
[d.itemsize for d in (T.bool, T.bfloat16, T.int64, T.complex64)]
[d.is_floating_point for d in (T.int8, T.bfloat16, T.complex64)]
[d.is_signed for d in (T.bool, T.uint8, T.int8, T.float16)]
[T.int, T.long, T.short, T.half, T.float, T.double, T.cfloat]
T.iinfo(T.int16).max
[T.finfo(d).max for d in (T.bfloat16, T.float16, T.float32)]
copy.deepcopy(T.int32) is T.int32
T.int32 == "int32"
isinstance(T.int32, T.dtype)
isinstance(T.load, T.dtype)
hasattr(T, "there_is_no_such_name")
getattr(T, "there_is_no_such_name", None)
T.promote_types(T.uint8, T.int8)
T.promote_types(T.float16, T.bfloat16)
T.promote_types(T.complex64, T.float64)
m.untyped_storage().nbytes()
bytes(T.arange(6, dtype=T.int16)[2:4].untyped_storage())
T.arange(3, dtype=T.uint8).untyped_storage()
T.arange(6, dtype=T.int16)[2:4].storage_offset()
bytes(T.arange(3))
m.element_size()
m.nbytes
m.dim()
m.numel()
m.stride(-1)
m.type()
m.t().contiguous()
m.t().clone()
m.t().clone(memory_format=T.contiguous_format)
m.t() + 1
m.t() * m.t()
m.permute(1, 0).to(T.float64)
m[:, ::2].clone()
T.zeros(7)[::7].contiguous()
T.zeros(7)[::7].view(T.uint8)
T.zeros(7)[::7].clone(memory_format=T.contiguous_format).view(T.uint8)
f.view(T.int32)
f.view(T.uint8)
f.view(T.float64)
T.zeros(3).view(T.int64)
T.zeros(()).view(T.int64)
T.zeros(()).view(T.int32)
m.t().view(T.uint8)
m.t().view(T.float64)
T.arange(16.).reshape(4, 4)[:, 2:].view(T.float64)
T.arange(16.).reshape(4, 4)[:, 1:3].view(T.float64)
T.arange(20.).reshape(4, 5)[:, :2].view(T.float64)
m.flatten()
T.arange(24).reshape(2, 3, 4).flatten(1)
T.tensor(3).flatten()
m.t().flatten()
m.transpose(0, -1)
m.transpose(0, 5)
m.permute(0, 0)
m.permute(0)
T.zeros(1, 2, 3).t()
m.T
m.expand(2, 3, 4)
m.expand(4, 4)
T.ones(3, 1).expand(-1, 4)
T.ones(3, 1).expand(2, 1, 3, 1)
m.expand(-1, 3, 4)
m.narrow(1, 1, 2)
m.narrow(1, 3, 2)
m.unsqueeze(0)
m.unsqueeze(-1)
m.unsqueeze(4)
T.zeros(1, 2, 1).squeeze()
T.zeros(1, 2, 1).squeeze(0)
T.zeros(1, 2, 1).squeeze(1)
m.squeeze(3)
m[1]
m[-1, -1]
m[1:]
m[:, 1]
m[..., 0]
m[None, 1:2]
m[::2, 1::2]
m[5:]
m[3]
m[0, 0, 0]
m[::-1]
m["a"]
m[1.5]
m[T.tensor(1)]
m[[0, 2]]
m[T.tensor([2, 0])]
m[m > 5]
m[:, T.tensor([0, 1])]
f[f.isnan()]
list(m)
list(T.tensor(1))
len(T.tensor(1))
len(m)
3 in m
f"{T.tensor(3.14159):.2f} {T.tensor(3)}"
format(f, ".2f")
m.tolist()
f.item()
e.item()
T.tensor([7]).item()
bool(f)
bool(e)
bool(T.tensor(0.0))
int(T.tensor(3.7))
T.tensor(3.5).__index__()
[10, 20, 30][T.tensor(1)]
m + m
m + 1
m + 1.5
1 - m
m * 2.0
m / 2
m / 0
m // 2
-m // 3
m % 4
-m % 4
m // 0
m ** 2
m ** -1
2 ** m
f + m[0, 0]
f * 0.1
T.tensor([0.1, 0.2, 1000.5], dtype=T.bfloat16) * 0.3
T.tensor([0.1, 0.2, 1000.5], dtype=T.float16) + 0.3
T.ones(3, dtype=T.bfloat16) + T.ones(3, dtype=T.float16)
T.tensor([1], dtype=T.int8) + T.tensor(300)
T.tensor([1], dtype=T.int8) + T.tensor(0.5, dtype=T.float64)
T.tensor([100], dtype=T.int8) + 100
T.tensor([200], dtype=T.uint8) + T.tensor([100], dtype=T.uint8)
T.tensor([1], dtype=T.uint8) + T.tensor([-1], dtype=T.int8)
T.zeros(2) + T.zeros(3)
T.zeros(2, 1) + T.zeros(3)
T.zeros(2) + "a"
m == m
m == 3
m != 3.0
m < f[0]
f == f
m == None
m == "a"
m != "a"
m < "a"
b & ~b | b
b + b
b - b
-b
~f
m & 3
m ^ m
-m
-f
abs(-m)
T.signbit(f)
f.isnan()
T.isfinite(f)
m.sum()
b.sum()
m.sum(0)
m.sum(1, keepdim=True)
T.ones(3, dtype=T.uint8).sum()
m.float().mean()
m.mean()
m.max()
f[:2].min()
e.max()
e.sum()
bool(f.max().isnan())
b.all()
b.any(0)
e.all()
m.argmax()
T.equal(m, m.clone())
T.equal(m, m.float())
T.equal(m, f)
T.equal(m, 5)
T.equal(f, f)
T.allclose(m.float(), m + 1e-9)
T.cat([m, m])
T.cat([m, m.float()], dim=1)
T.cat([])
T.cat([f, m])
T.cat([e, f])
T.stack([m, m])
T.stack([f, f], dim=1)
T.stack([f, m])
m.requires_grad_()
g.numpy()
g.detach().numpy()
T.zeros(2, dtype=T.bfloat16).numpy()
g
g.t()
g[0]
g[:, 1:]
g.clone()
g.reshape(-1)
g.to(T.float64)
g * 2
g + g
g.sum()
g.detach()
g > 0
g.data
g.is_leaf
(g * 2).is_leaf
copy.deepcopy(g)
copy.copy(g)
T.nn.Parameter(f)
T.nn.Parameter(m)
T.nn.Parameter(f) * 2
isinstance(T.nn.Parameter(f), T.Tensor)
T.nn.Parameter(f).detach()
m.numpy()
m.t().numpy()
np.asarray(f)
np.float32(2) * f
m.there_is_no_such_name
m.float().long()
f.to("cpu")
f.to(T.device("cpu"), T.float64)
m.to(m) is m
f.resolve_conj().resolve_neg().cpu()
T.view_as_real(T.tensor([1 + 2j, 3j]))
T.tensor([1 + 2j, 3j]).imag
T.is_tensor(3)
[type(m).__module__, type(m).__qualname__, type(T.nn.Parameter(f)).__module__]
T.arange(2000)
T.arange(2000.).reshape(40, 50)
T.arange(3000).reshape(10, 10, 30) / 7
T.zeros(30, dtype=T.int32)
T.tensor([1e-5, 1.0])
T.tensor([1.0, 10000.5])
T.tensor([1.0, math.inf, math.nan])
T.tensor([1e38, 1e-38])
T.zeros(1, 1, 1)
T.zeros(size=(2, 3))
T.zeros()
T.zeros([])
m.t().expand(2, 4, 3).clone()
m[:, :2].t() + 1
m[:, ::2].t().float()
T.arange(24).reshape(2, 3, 4).permute(2, 0, 1)[:, :1].clone()
T.frombuffer(bytearray(b"\x02\x00"), dtype=T.bool)
m[True]
m[()]
m[np.array([0, 1])]
m[:, None, 1]
m[5:2]
T.zeros(3)[3:].view(T.uint8)
T.zeros(2, 0, 3).sum(1)
T.tensor(5).view(1, 1)
T.tensor(5)[0]
T.tensor([[T.tensor(1)], [T.tensor(2)]])
T.tensor([1, [2]])
T.tensor([[1], 2])
T.tensor([np.array([1.0, 2]), np.array([3, 4])])
T.tensor([1.9, -1.9], dtype=T.int64)
T.arange(1001).reshape(7, 11, 13)
T.arange(20000).reshape(2, 100, 100) / 3
T.zeros(2, 1500, dtype=T.bool)
T.zeros(3, 1000, requires_grad=True)
T.tensor([1 + 1e-5j, 1e5])
""".strip().splitlines()

# Several statements; the result is `r`.
CHANGES = [
    "m[0, 0] = -1; r = m",
    "m[1] = T.tensor([7, 8, 9, 10]); r = m",
    "m[:, 1:3] = 0.9; r = m",
    "m[::2] = m[1]; r = m",
    "m[m > 5] = 0; r = m",
    "m[T.tensor([0, 2])] = T.tensor([1, 2, 3, 4]); r = m",
    "m[0] = T.tensor([1, 2, 3]); r = m",
    "m[0] = 'a'",
    "m[9] = 1",
    "m[0, 0] = 2**40; r = m",
    "v = T.zeros(2, dtype=T.uint8); v[0] = 300",
    "v = T.zeros(2, dtype=T.bfloat16); v[0] = math.pi; v[1] = -0.0; r = v",
    "v = m.t(); v[0] = 0; r = m",
    "v = m.view(-1); v += 1; r = m",
    "m.add_(1); r = m",
    "m.add_(0.5)",
    "f.mul_(2).sub_(1); r = f",
    "m.zero_(); r = m",
    "f.fill_(3); r = f",
    "f[0] = math.inf; f[-1] = -0.0; r = f",
    "m.copy_(T.arange(4)); r = m",
    "m.copy_(T.zeros(5))",
    "m[:2].copy_(m[1:].clone()); r = m",
    "v = m[:1].expand(4, -1); v.add_(1)",
    "g.add_(1)",
    "with T.no_grad(): g.add_(1)\nr = g",
    "with T.no_grad(): r = g * 2",
    "r = T.no_grad()(lambda: g * 2)()",
    "raw = bytearray(8); v = T.frombuffer(raw, dtype=T.int32); v[1] = 5; r = bytes(raw)",
    "a = np.zeros(3); v = T.from_numpy(a); v[1] = 5; r = a",
    "a = m.numpy(); a[0, 0] = 99; r = m",
    "v = T.tensor(m.numpy()); v[0] = 5; r = m",
    "v = m.clone(); v[0] = 5; r = m",
    "v = m.detach(); v[0] = 5; r = m",
    "v = T.as_tensor(m.numpy()); v[0] = 5; r = m",
    "v = copy.deepcopy(m[1:]); v[0] = 5; r = (m, v)",
    "f.requires_grad = True; r = f",
    "m.requires_grad = True",
    "m.view(T.uint8)[0, 0] = 255; r = m",
]  # fmt: skip


def names_for(lib: Any) -> dict[str, Any]:
    return {
        "T": lib, "math": math, "np": np, "copy": copy, "pickle": pickle,
        "m": lib.arange(12).reshape(3, 4),
        "f": lib.tensor([0.5, -0.0, math.nan, 3.25]),
        "e": lib.zeros(0),
        "b": lib.tensor([[True, False], [True, True]]),
        "g": lib.ones(2, 3, requires_grad=True),
    }  # fmt: skip


@pytest.mark.parametrize("expression", OPERATIONS)
def test_operations(expression):
    made, real = (
        outcome(lib, lambda lib: eval(expression, names_for(lib))) for lib in (page, torch)
    )
    if made == "NotInThisTorch":
        assert real == "AttributeError"
    else:
        assert made == real


@pytest.mark.parametrize("statements", CHANGES)
def test_changes(statements):
    def run(lib: Any) -> Any:
        names = names_for(lib)
        exec(statements, names)
        return names["r"]

    assert outcome(page, run) == outcome(torch, run)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("T.arange(6).reshape(2, 3).t().view(-1)", r"view size .*is not compatible .*\.reshape"),
        ("T.arange(6).reshape(4)", r"shape '\[4\]' is invalid for input of size 6"),
        ('T.frombuffer(b"", dtype=T.int32)', "both buffer length .* must not be 0"),
        (
            "T.frombuffer(bytearray(6), dtype=T.int32)",
            r"buffer length .* multiple of element size \(4\)",
        ),
        ("g.numpy()", r"requires grad.*tensor\.detach\(\)\.numpy\(\)"),
        ("T.zeros(2, dtype=T.bfloat16).numpy()", "ScalarType BFloat16"),
        ("T.tensor([[1], [1, 2]])", r"expected sequence of length 1 at dim 1 ?.*\(got 2\)"),
        ("f.item()", "a Tensor with 4 elements cannot be converted to Scalar"),
        ("T.zeros(3)[5]", "index 5 is out of bounds for dimension 0 with size 3"),
        ("T.zeros(2) + T.zeros(3)", r"size of tensor a \(2\) .* size of tensor b \(3\)"),
    ],
)
def test_both_say_what_is_wrong(expression, words):
    for lib in (page, torch):
        with pytest.raises(Exception, match=words):
            eval(expression, names_for(lib))


# --- random numbers -------------------------------------------------------------------------------

DRAWS = """
T.rand(5)
T.rand(2, 3, dtype=T.float64)
T.rand(5, dtype=T.float16)
T.rand(5, dtype=T.bfloat16)
T.rand(3, requires_grad=True).detach()
T.randint(0, 100, (5,))
T.randint(1000, (2, 3), dtype=T.int32)
T.randint(-(2**31), 2**31 - 1, (5,), dtype=T.int32)
T.randint(0, 2**28 - 1, (5,))
T.randint(0, 2**28, (5,))
T.randint(0, 2**40, (5,))
T.randint(low=3, high=9, size=(4,))
T.randint(0, 2, (9,), dtype=T.bool)
T.randint(5, 5, (2,))
T.randint(300, (2,), dtype=T.uint8)
T.randn(3)
T.randn(4, dtype=T.float64)
T.randn(15)
T.rand(2, generator=T.Generator().manual_seed(1))
T.default_generator.initial_seed()
""".strip().splitlines()


@pytest.mark.parametrize("seed", [0, 7, 2**40 + 5, 2**63 - 1])
def test_a_seed_gives_the_same_numbers(seed):
    for lib in (page, torch):
        lib.default_generator.manual_seed(seed)
    for draw in DRAWS:
        made, real = (
            outcome(lib, lambda lib, draw=draw: eval(draw, {"T": lib})) for lib in (page, torch)
        )
        assert made == real, draw
    for shape in [(16,), (20,), (5, 7), (2, 16)]:
        assert np.allclose(page.randn(shape).numpy(), torch.randn(shape).numpy(), atol=1e-6)
    assert page.rand(3).tolist() == torch.rand(3).tolist()


# --- refusals, memory that is not ours ------------------------------------------------------------


@pytest.mark.parametrize(
    "expression",
    [
        "T.nn.Linear(2, 3)", "T.matmul(m, m)", "m @ m", "m.softmax(0)", "T.load('a')",
        "T.complex32", "pickle.dumps(m)",
        "T.cuda.synchronize()", "m.cuda()", "g.sum().backward()", "T.zeros(2, device='cuda')",
        "m.max(0)", "T.float8_e5m2", "T.tensor([1], dtype=T.uint16) + m",
    ],
)  # fmt: skip
def test_what_is_missing_is_named(expression):
    with pytest.raises(NotImplementedError, match="a submission runs on the real torch"):
        eval(expression, names_for(page))


def test_memory_that_must_not_change_is_not_changed():
    raw = b"\x01\x00\x00\x00"
    with pytest.warns(UserWarning, match="cannot be written to"):
        tensor = page.frombuffer(raw, dtype=page.int32)
    with pytest.raises(RuntimeError, match="bytes"):
        tensor[0] = 5
    with pytest.raises(RuntimeError, match="bytes"):
        tensor.add_(1)
    assert raw == b"\x01\x00\x00\x00"


def test_it_says_what_it_is():
    assert page.__doc__.startswith("This is not PyTorch.")
    assert "page" in page.__version__


# --- the course on the stand-in -------------------------------------------------------------------


def in_page(code: str, *paths: Path) -> Any:
    """What `code` prints as JSON, run where `import torch` finds the stand-in."""
    inserted = [str(SOURCE), *map(str, paths), str(ROOT)]
    start = f"import sys; sys.path[:0] = {inserted!r}\n"
    start += "import torch; assert torch.__doc__.startswith('This is not PyTorch.')\n"
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", start + code],
        capture_output=True, text=True, cwd=ROOT, timeout=60, check=False,
    )  # fmt: skip
    assert not found.returncode, found.stderr
    return json.loads(found.stdout)


def here(code: str, *paths: Path) -> Any:
    """The same on the real torch, in this process."""
    printed: list[str] = []
    before = sys.path[:]
    sys.path[:0] = [*map(str, paths), str(ROOT)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(code, {"print": printed.append, "__name__": __name__})
    finally:
        sys.path[:] = before
    return json.loads(printed[0])


TENSORS = """
import importlib.util, json, math, torch
torch.manual_seed(3)
base = torch.randint(-(2**31), 2**31 - 1, (6, 5), dtype=torch.int32)
vectors = [base[0], base[:, 1], base[::2, 0], torch.arange(9)[::3], torch.empty(0), torch.randn(3),
           torch.rand(4, requires_grad=True), torch.nn.Parameter(torch.rand(2)),
           torch.tensor([math.nan, -0.0])]
tables = [base.t(), base[1:4], base[:1].expand(4, -1), torch.tensor(3.5), torch.empty(0, 3),
          torch.rand(2, 3, 4).permute(2, 0, 1), torch.rand(1, 3, 1).to(torch.float16)]
names = "bool uint8 int8 int16 int32 int64 float16 float32 float64".split()
vectors += [torch.randint(0, 2, (5,)).to(getattr(torch, n)) for n in names]

def text(value):
    return {"hex": value.hex()} if isinstance(value, bytes) else repr(value)

def solution(path):
    spec = importlib.util.spec_from_file_location("solution", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
"""

SERIALIZE = """
import msgpack
module = solution("reference/solutions/ch12/%s.py")
out = []
for tensor in %s:
    raw = msgpack.packb(module.serialize_type({"a": [tensor]}))
    back = module.deserialize_type({}, msgpack.unpackb(raw))["a"][0]
    out += [raw.hex(), repr(back), back.is_contiguous()]
    back.reshape(-1)[:1] = 1
for data in [(b"abc", "int32", [1]), (b"", "int32", [0]), (b"abcd", "int33", [1]),
             (b"abcd", "int32", [2])]:
    encoded = dict(zip(["buffer", "dtype", "shape"], data), __type__="Tensor")
    encoded["dtype"] = "torch." + encoded["dtype"]
    try:
        out.append(repr(module.deserialize_type({}, encoded)))
    except ValueError:
        out.append("ValueError")
print(json.dumps(out))
"""

COMPACT = """
from dataclasses import dataclass
module = solution("reference/solutions/ch12/compact-format.py")
@dataclass
class Box:
    value: object
out = []
for tensor in [*vectors, *tables, torch.rand(3, 2).to(torch.bfloat16), torch.tensor([1 + 2j])]:
    raw = module.pack(Box(tensor), [Box])
    back = module.unpack(raw, [Box]).value
    out += [raw.hex(), repr(back)]
print(json.dumps(out))
"""

LAYER = """
import msgpack
from minisgl.core import SamplingParams
from minisgl.message import BaseBackendMsg, BatchBackendMsg, UserMsg
ids = torch.tensor([9707, 11, 1879], dtype=torch.int32)
batch = BatchBackendMsg([UserMsg(7, ids, SamplingParams(temperature=0.6, max_tokens=64))])
raw = msgpack.packb(batch.encoder(), use_bin_type=True)
out = [raw.hex(), repr(BaseBackendMsg.decoder(msgpack.unpackb(raw)))]
for tensor in [*vectors, torch.rand(3).to(torch.bfloat16), torch.zeros(7)[::7]]:
    raw = msgpack.packb(UserMsg(1, tensor, None).encoder())
    out += [raw.hex(), repr(BaseBackendMsg.decoder(msgpack.unpackb(raw)))]
print(json.dumps(out))
"""

WIRE = """
from judge import wire
from judge.kit import assert_same, is_same, show
out = []
for trusted in (False, True):
    half = torch.rand(3, 2).to(torch.bfloat16)
    for tensor in [*vectors, *tables, half, torch.zeros(7)[::7], torch.int32]:
        if isinstance(tensor, torch.nn.Parameter):
            continue
        frame = wire.Encoder(keep_layout=trusted).encode([tensor])
        reader = wire.FrameReader()
        reader.feed(frame)
        back = wire.Decoder(lambda *_: None, trusted=trusted).decode(*reader.next_frame())[0]
        out += [frame.hex(), repr(back), show(back)]
        if isinstance(back, torch.Tensor):
            assert_same(back, tensor)
            out += [back.stride(), back.requires_grad, is_same(back.detach().double(), back)]
nan = torch.tensor([0x7FC0, 0x7FC1, 0x3F80], dtype=torch.int16).view(torch.bfloat16)
other = torch.tensor([0x7FC1, 0x7FC0, 0x3F80], dtype=torch.int16).view(torch.bfloat16)
out += [is_same(nan, other), is_same(nan, -other), is_same(nan, nan[:2]), is_same(nan, nan.float())]
one = torch.tensor([complex(math.nan, 1)])
out += [is_same(one, one.clone()), is_same(one, torch.tensor([complex(math.nan, -1)]))]
for wrong in (torch.nn.Parameter(torch.ones(2)), torch.ones(2).numpy(), torch.Size([1])):
    try:
        wire.Encoder().encode(wrong)
    except wire.NotPlainData as refused:
        out.append(str(refused))
print(json.dumps(out))
"""


@pytest.mark.parametrize(
    "code",
    [
        SERIALIZE % ("serializer", "vectors"),
        SERIALIZE % ("nd-tensor", "[*vectors, *tables]"),
        COMPACT,
        LAYER,
        WIRE,
    ],
    ids=["serializer", "nd-tensor", "compact-format", "message layer", "wire and kit"],
)
def test_the_course_gives_the_same_bytes(code):
    reference = ROOT / "reference"
    assert in_page(TENSORS + code, reference) == here(TENSORS + code, reference)


def test_the_golden_message_has_its_229_bytes():
    golden = here(TENSORS + LAYER, ROOT / "reference")[0]
    made = in_page(TENSORS + LAYER, ROOT / "reference")[0]
    assert made == golden
    assert len(bytes.fromhex(made)) == 229


@pytest.mark.parametrize("name", ["serializer", "nd-tensor", "compact-format"])
def test_the_suites_pass_on_the_stand_in(name):
    """Example and hidden tests of an exercise, with its reference solution, in one process."""
    solution = f"reference/solutions/ch12/{name}.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "judge.examiner.direct"]
    command += ["--solution", solution, f"exercises/ch12/{name}"]
    found = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )  # fmt: skip
    assert not found.returncode, found.stdout
    assert " passed" in found.stdout
