"""Hidden tests: every dtype bit by bit, views of every kind, gradients, and memory of its own."""

import re
from dataclasses import dataclass
from typing import Any

import msgpack
import pytest
import torch

from judge.kit import assert_same, check

REFUSALS = (ValueError, TypeError, KeyError)
WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["bfloat16", "float16", "float32", "float64"]
FLOAT8 = [
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
]  # fmt: skip
COMPLEX = ["complex32", "complex64", "complex128"]


@dataclass
class Layer:
    name: str
    weight: Any


def known(names):
    """Those of the dtypes that this torch has."""
    return [getattr(torch, name) for name in names if hasattr(torch, name)]


EVERY = known(["bool", *WHOLE, *FLOATS, *FLOAT8, *COMPLEX])


def random_bits(rng, dtype, *shape):
    """A tensor of any bits at all, and its bytes row by row."""
    count = torch.Size(shape).numel()
    raw = rng.randbytes(count * dtype.itemsize)
    if dtype is torch.bool:
        raw = bytes(byte & 1 for byte in raw)
    flat = torch.frombuffer(bytearray(raw or b"\0" * 16), dtype=torch.uint8).view(dtype)
    return flat[:count].reshape(shape), raw


def tables(rng, dtypes):
    """A table of random bits for each dtype."""
    sizes = rng.randint(2, 4), rng.randint(2, 4)
    return [random_bits(rng, dtype, *sizes)[0] for dtype in dtypes]


def encoded_tensor(raw, dtype, shape):
    return {"__type__": "Tensor", "buffer": raw, "dtype": str(dtype), "shape": shape}


def travel(encoded):
    """What arrives of the sender's dict: msgpack's own types and nothing else."""
    try:
        return msgpack.unpackb(msgpack.packb(encoded, use_bin_type=True), raw=False)
    except Exception as error:
        check(
            False,
            en=f"msgpack cannot pack the result of serialize_type: {error}. Something in it is "
            "neither a primitive nor a list nor a dict.",
            zh=f"msgpack 无法打包 serialize_type 的结果：{error}。里面还有既不是基本类型、"
            "也不是列表或字典的东西。",
        )


def bits(tensor):
    """The bytes of a tensor's values, so that every NaN counts as what it is."""
    values = tensor.clone(memory_format=torch.contiguous_format).reshape(-1)
    return values.view(torch.uint8).numpy().tobytes()


def check_arrives(receiver, encoded, tensors):
    """The tensors that come of the dicts have the same bits."""
    for arrived, tensor in zip(receiver.deserialize_type({}, encoded), tensors, strict=True):
        assert_same(arrived, tensor)
        check(
            bits(arrived) == bits(tensor),
            en=f"The values of a {tensor.dtype} tensor come back, but not their bits: some NaN has "
            "become another one. Were they converted on the way?",
            zh=f"{tensor.dtype} 张量的值还原了，但位模式不同：有的 NaN 变成了另一种。"
            "中途是不是转换过？",
        )


def check_every_bit(sender, receiver, tensors, sent=None):
    """Tensors become the agreed dicts, in one list, and tensors with the same bits.

    `sent`: what the sender made of them, if that was not simply `serialize_type`.
    """
    encoded = travel(sender.serialize_type(tensors) if sent is None else sent)
    assert_same(encoded, [encoded_tensor(bits(t), t.dtype, list(t.shape)) for t in tensors])
    check_arrives(receiver, encoded, tensors)


def check_comes_back(sender, receiver, value, cls_map=None):
    encoded = travel(sender.serialize_type(value))
    assert_same(receiver.deserialize_type(cls_map or {}, encoded), value)


# --- dtypes ---------------------------------------------------------------------------------------


def test_truth_values(sender, receiver, rng):
    """Truth values take one byte each and come back"""
    check_every_bit(sender, receiver, tables(rng, [torch.bool]))


def test_whole_numbers(sender, receiver, rng):
    """Whole numbers of eight dtypes come back exactly, also the unsigned ones"""
    limits = [torch.iinfo(dtype) for dtype in known(WHOLE)]
    ends = [torch.tensor([each.min, each.max], dtype=getattr(torch, each.dtype)) for each in limits]
    check_every_bit(sender, receiver, tables(rng, known(WHOLE)) + ends)


def test_floats(sender, receiver, rng):
    """Floats of two, four and eight bytes come back to the last bit"""
    special = [0.0, -0.0, float("inf"), float("-inf"), float("nan")]
    specials = [
        torch.tensor([*special, torch.finfo(dtype).tiny / 2], dtype=dtype)
        for dtype in known(FLOATS)
    ]
    check_every_bit(sender, receiver, tables(rng, known(FLOATS)) + specials)


def test_float8(sender, receiver, rng):
    """Floats of one byte come back to the last bit"""
    check_every_bit(sender, receiver, tables(rng, known(FLOAT8)))


def test_complex_numbers(sender, receiver, rng):
    """Complex numbers come back to the last bit"""
    check_every_bit(sender, receiver, tables(rng, known(COMPLEX)))


NANS = [
    ("bfloat16", "80ff 817f 01ff c0ff aa7f"),
    ("float16", "01fc 017c ff7f 00fe aa7d"),
    ("float32", "010080ff 0100807f ffffbfff 0000c0ff aaaaaa7f"),
    ("float64", "010000000000f0ff aaaaaaaaaaaaf47f"),
]


def test_every_nan(sender, receiver):
    """A NaN keeps its bits: there are many of them, and some mean something"""
    tensors = [
        torch.frombuffer(bytearray.fromhex(patterns), dtype=torch.uint8).view(getattr(torch, name))
        for name, patterns in NANS
    ]
    check_every_bit(sender, receiver, tensors)


# --- shapes and views -----------------------------------------------------------------------------


def test_single_values(sender, receiver, rng):
    """A single value (0-d) of every dtype keeps its shape"""
    check_every_bit(sender, receiver, [random_bits(rng, dtype)[0] for dtype in EVERY])


def test_empty_tensors(sender, receiver):
    """An empty tensor of every dtype keeps its sizes"""
    shapes = [[0], [0, 3], [2, 0, 4]]
    tensors = [torch.empty(shape, dtype=dtype) for dtype in EVERY for shape in shapes]
    check_every_bit(sender, receiver, tensors)


@pytest.mark.parametrize("view", ["transposed", "every second row", "a column", "repeated"])
def test_views(sender, receiver, rng, view):
    """A view is sent as its own values, row by row, for every dtype"""
    see = {
        "transposed": lambda base: base.t(),
        "every second row": lambda base: base[1::2],
        "a column": lambda base: base[:, 1],
        "repeated": lambda base: base[:1].expand(5, 3),
    }[view]
    tensors = [see(random_bits(rng, dtype, 4, 3)[0]) for dtype in EVERY]
    check_every_bit(sender, receiver, tensors)


def test_many_values(sender, receiver, rng):
    """Some hundreds of values of every dtype come back"""
    columns = 15 + rng.randint(0, 9)
    tensors = [random_bits(rng, dtype, 20, columns)[0].t() for dtype in EVERY]
    check_every_bit(sender, receiver, tensors)


def send_odd_ones(here, bases):
    # Cut beside the learner's code: what crosses arrives with plain strides and nothing around it.
    parts = []
    for base in bases:
        parts += [base[:1:2], base.reshape(2, 3)[1:, 2:], base[5:].expand(1)]
    return here.module.serialize_type(parts)


def test_single_values_of_odd_stride(sender, receiver, rng):
    """A view of a single value is sent, whatever its stride"""
    bases = [random_bits(rng, dtype, 6)[0] for dtype in EVERY]
    parts = [part for base in bases for part in (base[:1], base[5:].reshape(1, 1), base[5:])]
    check_every_bit(sender, receiver, parts, sender.run(send_odd_ones, bases))


def send_slices(here, bases, start, stop):
    return here.module.serialize_type([base[start:stop] for base in bases])


def test_slices(sender, receiver, rng):
    """Of a slice only its own values are sent"""
    bases = [random_bits(rng, dtype, 6)[0] for dtype in EVERY]
    sent = sender.run(send_slices, bases, 2, 5)
    check_every_bit(sender, receiver, [base[2:5].clone() for base in bases], sent)


def send_marked(here, base):
    marked = [base.conj(), base.conj().t(), base.conj().imag, base[0, 0].conj()]
    return here.module.serialize_type(marked)


@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_conjugated_views(sender, receiver, rng, name):
    """A view that is only marked as conjugated or negated is sent as its values read"""
    real, imag = (torch.randn(2, 3, dtype=torch.float64) for _ in range(2))
    base = torch.complex(real, imag).to(getattr(torch, name))
    turned = torch.complex(real, -imag).to(base.dtype)
    expected = [turned, turned.t(), -base.imag, turned[0, 0]]
    sent = travel(sender.run(send_marked, base))
    assert_same(receiver.deserialize_type({}, sent), expected)


# --- gradients, and the sender's own tensor -------------------------------------------------------


def send_with_gradients(here, values):
    """A leaf, a parameter, a view, and a result of computing; then what they still know."""
    import torch

    leaf = values.clone().requires_grad_()
    parameter = torch.nn.Parameter(values.clone())
    tensors = [leaf, parameter, leaf.t(), leaf * 1, parameter[0, 0]]
    encoded = here.module.serialize_type(tensors)
    return encoded, [tensor.requires_grad for tensor in tensors], leaf.detach()


@pytest.mark.parametrize("name", ["bfloat16", "float32", "float64", "complex64"])
def test_gradients(sender, receiver, name):
    """Leaves, parameters and results are sent as values and stay as they are at the sender"""
    values = torch.randn(2, 3).to(getattr(torch, name))
    encoded, still_required, after = sender.run(send_with_gradients, values)
    expected = [values, values, values.t(), values, values[0, 0]]
    assert_same(receiver.deserialize_type({}, travel(encoded)), expected)
    check(
        all(still_required),
        en="After sending, a tensor of the sender's no longer requires a gradient.",
        zh="发送之后，发送方自己的张量不再需要梯度了。",
    )
    assert_same(after, values)


def send_then_write(here, tensor):
    encoded = here.module.serialize_type(tensor)
    tensor.zero_()
    return encoded


def test_snapshot(learner, rng):
    """Writing to the tensor afterwards does not change what is sent"""
    for dtype in (torch.float32, torch.bfloat16, torch.uint8, torch.bool):
        tensor, raw = random_bits(rng, dtype, 5)
        assert_same(learner.run(send_then_write, tensor)["buffer"], raw)


# --- what arrives ---------------------------------------------------------------------------------


def decode_and_write(here, data):
    tensor = here.module.deserialize_type({}, data)
    tensor[0] = 0.25
    return tensor, data["buffer"]


def test_memory_is_yours(learner):
    """A decoded bfloat16 tensor can be written to, and the data does not change"""
    raw = bytes.fromhex("803f 20c0")
    data = {"__type__": "Tensor", "buffer": raw, "dtype": "torch.bfloat16", "shape": [2]}
    tensor, after = learner.run(decode_and_write, data)
    assert_same(tensor, torch.tensor([0.25, -2.5], dtype=torch.bfloat16))
    assert_same(
        after,
        raw,
        en="Writing to the decoded tensor changed the bytes that it was made of.",
        zh="往还原出来的张量里写，原来的字节也跟着变了。",
    )


def decode_twice_and_write(here, data):
    """What three decoded tensors and the data are after the first tensor was written to."""
    import warnings

    import torch

    # Left alone, torch warns only once in each process, and that may have happened long ago.
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            first = here.module.deserialize_type({}, data)
            second = here.module.deserialize_type({}, data)
            first.fill_(1)
    finally:
        torch.set_warn_always(before)
    third = here.module.deserialize_type({}, data)
    texts = [str(warning.message) for warning in caught if "writ" in str(warning.message)]
    return first, second, third, data["buffer"], texts


def test_memory_of_its_own(learner, rng):
    """A decoded tensor of every dtype can be written to; nothing else changes, and torch is content"""
    for dtype in EVERY:
        tensor, raw = random_bits(rng, dtype, 3, 2)
        data = encoded_tensor(raw, dtype, [3, 2])
        first, second, third, after, warned = learner.run(decode_twice_and_write, data)
        assert_same(first, torch.ones(3, 2).to(dtype))
        for other in (second, third):
            assert_same(
                other,
                tensor,
                en="Writing to a decoded tensor changes another one that was decoded from the "
                "same data. Each needs memory of its own.",
                zh="往一个还原出来的张量里写，由同一份数据还原出来的另一个也变了。"
                "每个张量都要有自己的内存。",
            )
        assert_same(
            after,
            raw,
            en="Writing to the decoded tensor changed the bytes that it was made of: both use the "
            "same memory, and Python takes it for granted that bytes never change.",
            zh="往还原出来的张量里写，原来的字节也跟着变了：两者用的是同一块内存，"
            "而 Python 默认字节串永远不变。",
        )
        check(
            not warned,
            en="While decoding, torch warns of a tensor on memory that must not be written to. It does "
            "so once in each process, so look at a process that has just started.",
            zh="解码时 torch 发出警告：有张量用的是不该写的内存。它在每个进程里只警告一次，"
            "所以要在刚启动的进程里看。",
        )


def decoded_knows(here, data):
    tensor = here.module.deserialize_type({}, data)
    return type(tensor).__name__, tensor.requires_grad, tensor.device.type


def test_plain_tensor(learner, rng):
    """What arrives is a plain tensor on the CPU that requires no gradient"""
    for dtype in (torch.bfloat16, torch.float32):
        data = encoded_tensor(rng.randbytes(4 * dtype.itemsize), dtype, [2, 2])
        assert_same(learner.run(decoded_knows, data), ("Tensor", False, "cpu"))


def test_other_values_stay(sender, receiver, rng):
    """Tensors of several dtypes in one message come back, and so does all the rest"""
    weights = {dtype.itemsize: random_bits(rng, dtype, 2)[0] for dtype in (torch.int8, torch.int64)}
    inner = Layer("bias", torch.randn(3).to(torch.bfloat16))
    layer = Layer("all", [inner, None, True, 7, -0.5, b"\x00", "权重", {"dtype": "torch.int8"}])
    check_comes_back(sender, receiver, [layer, list(weights.values())], {"Layer": Layer})


# --- what is refused ------------------------------------------------------------------------------


def outcomes(here, encoded):
    """What becomes of each: "tensor", "refused" by a ValueError, or the name of another exception."""
    found = []
    for data in encoded:
        try:
            here.module.deserialize_type({}, data)
            found.append("tensor")
        except ValueError:
            found.append("refused")
        except Exception as error:
            found.append(type(error).__name__)
    return found


def test_shape_counts_values(learner):
    """A shape that does not fit the buffer is refused, by the size of each dtype"""
    encoded = []
    for dtype in EVERY:
        size = dtype.itemsize
        lengths = [0, 5 * size, 6 * size - 1, 6 * size + 1, 7 * size]
        encoded += [encoded_tensor(bytes(length), dtype, [2, 3]) for length in lengths]
        shapes = [[-2, -3], [-6, -1], [-1, -1, 6], [-1, 6], [-1]]
        encoded += [encoded_tensor(bytes(6 * size), dtype, shape) for shape in shapes]
    for outcome in learner.run(outcomes, encoded):
        check(
            outcome == "refused",
            en=f"The shape does not fit the buffer. It should raise ValueError; what comes is: {outcome}.",
            zh=f"形状和缓冲区对不上，应当抛出 ValueError，实际结果是：{outcome}。",
        )


@pytest.mark.parametrize("name", ["torch.float33", "torch.load", "torch.nn", "int32", ""])
def test_unknown_dtype(learner, name):
    """A dtype that this torch does not have is refused, and the text names it"""
    data = {"__type__": "Tensor", "buffer": bytes(8), "dtype": name, "shape": [2]}
    with learner.raises(ValueError, match=re.escape(name)):
        learner.deserialize_type({}, data)


def test_unknown_type(learner):
    """A type name that is not in `cls_map` is refused as before, and the text names it"""
    with learner.raises(*REFUSALS, match="Ghost"):
        learner.deserialize_type({"Layer": Layer}, [{"__type__": "Ghost", "weight": 1}])


def send_unsupported(here, kind):
    from dataclasses import dataclass

    @dataclass
    class Job:
        uid: int = 7

    here.module.serialize_type([{"set": {1}, "class": Job, "function": len}[kind]])


@pytest.mark.parametrize("kind", ["set", "class", "function"])
def test_other_types_are_refused(learner, kind):
    """A set, a class, a function are refused as before"""
    with learner.raises(*REFUSALS):
        learner.run(send_unsupported, kind)


def send_without_memory(here, kind):
    import torch

    tensors = {
        "sparse": torch.eye(3).to_sparse(),
        "compressed": torch.eye(3).to_sparse_csr(),
        "meta": torch.empty(2, 3, device="meta"),
    }
    here.module.serialize_type({"value": tensors[kind]})


@pytest.mark.parametrize("kind", ["sparse", "compressed", "meta"])
def test_without_plain_memory(learner, kind):
    """A sparse tensor, and one on the device meta, is refused with TypeError"""
    with learner.raises(TypeError):
        learner.run(send_without_memory, kind)


def send_other_dtype(here, name):
    import torch

    here.module.serialize_type([torch.zeros(4, dtype=torch.uint8).view(getattr(torch, name))])


def test_other_dtypes(learner):
    """A tensor of a dtype that is not in the table is refused with TypeError"""
    for dtype in known(["bits8", "bits16"]):
        with learner.raises(TypeError):
            learner.run(send_other_dtype, str(dtype).removeprefix("torch."))
