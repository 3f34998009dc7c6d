"""Hidden tests: shapes, views and dtypes that vary, gradients, and shapes that lie."""

import math
import re
from dataclasses import dataclass
from typing import Any

import msgpack
import pytest
import torch

from judge.kit import assert_same, check

REFUSALS = (ValueError, TypeError, KeyError)
DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]


@dataclass
class Weights:
    name: str
    values: Any


@dataclass
class Tile:
    buffer: bytes
    dtype: str
    shape: Any


def pack(encoded):
    try:
        return msgpack.packb(encoded, use_bin_type=True)
    except Exception as error:
        check(
            False,
            en=f"msgpack cannot pack the result of serialize_type: {error}. Something in it is "
            "neither a primitive nor a list nor a dict.",
            zh=f"msgpack 无法打包 serialize_type 的结果：{error}。里面还有既不是基本类型、"
            "也不是列表或字典的东西。",
        )


def travel(encoded):
    """What arrives of the sender's dict: msgpack's own types and nothing else."""
    return msgpack.unpackb(pack(encoded), raw=False)


def send(sender, receiver, value, cls_map=None):
    """The value after its way from one process to another."""
    return receiver.deserialize_type(cls_map or {}, travel(sender.serialize_type(value)))


def numbers(*shape):
    return torch.randint(-(2**31), 2**31 - 1, shape, dtype=torch.int32)


def encoded_tensor(buffer, shape, dtype="int32"):
    return {"__type__": "Tensor", "buffer": buffer, "dtype": f"torch.{dtype}", "shape": shape}


# --- shapes -----------------------------------------------------------------------------------


def test_one_dimension(sender, receiver, rng):
    """A 1-D tensor comes back, and it has a shape like every other"""
    tensor = numbers(rng.randint(2, 9))
    encoded = travel(sender.serialize_type(tensor))
    raw = b"".join(i.to_bytes(4, "little", signed=True) for i in tensor.tolist())
    assert_same(encoded, encoded_tensor(raw, [len(tensor)]))
    assert_same(receiver.deserialize_type({}, encoded), tensor)


@pytest.mark.parametrize("dimensions", [2, 3, 4, 5])
def test_many_dimensions(sender, receiver, rng, dimensions):
    """Tensors of two to five dimensions come back"""
    tensor = numbers(*(rng.randint(2, 4) for _ in range(dimensions)))
    assert_same(send(sender, receiver, tensor), tensor)


@pytest.mark.parametrize("shape", [[1], [1, 3], [3, 1], [1, 1, 1], [2, 1, 3]], ids=str)
def test_sizes_of_one(sender, receiver, shape):
    """Dimensions of size one are kept"""
    tensor = numbers(*shape)
    assert_same(send(sender, receiver, tensor), tensor)


def test_single_number(sender, receiver, rng):
    """A single number keeps its 0-d shape, alone and in a list"""
    tensor = torch.tensor(rng.randint(-99, 99), dtype=torch.int32)
    assert_same(send(sender, receiver, tensor), tensor)
    tensors = [torch.tensor(rng.random()), torch.tensor(True), torch.tensor([1.5])]
    assert_same(send(sender, receiver, tensors), tensors)


def test_dict_of_a_single_number(learner, rng):
    """A single number is sent as one value with an empty shape"""
    number = rng.randint(-99, 99)
    encoded = travel(learner.serialize_type(torch.tensor(number, dtype=torch.int32)))
    assert_same(encoded, encoded_tensor(number.to_bytes(4, "little", signed=True), []))


def test_empty_vector(sender, receiver):
    """A tensor of shape [0] comes back"""
    for dtype in (torch.int32, torch.float64, torch.bool):
        tensor = torch.empty(0, dtype=dtype)
        assert_same(send(sender, receiver, tensor), tensor)


@pytest.mark.parametrize("shape", [[0, 3], [3, 0], [2, 0, 4], [0, 0]], ids=str)
def test_sizes_of_zero(sender, receiver, shape):
    """An empty tensor keeps all its sizes"""
    tensor = torch.empty(shape, dtype=torch.float32)
    assert_same(send(sender, receiver, tensor), tensor)


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes_of_rows(sender, receiver, rng, name):
    """Rows of nine dtypes come back exactly, also infinity and -0.0"""
    dtype, rows, columns = getattr(torch, name), rng.randint(2, 4), rng.randint(2, 4)
    tensor = torch.randint(0, 2 if name == "bool" else 100, (rows, columns)).to(dtype)
    if dtype.is_floating_point:
        tensor = torch.randn(rows, columns).to(dtype)
        tensor[0, 0], tensor[-1, -1] = math.inf, -0.0
    assert_same(send(sender, receiver, tensor), tensor)


# --- views ------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["every second row", "some columns", "one row repeated"])
def test_views_of_rows(sender, receiver, rng, view):
    """A view of some rows or columns comes back with its own values"""
    base = numbers(2 * rng.randint(2, 4), rng.randint(4, 6))
    tensor = {
        "every second row": base[::2],
        "some columns": base[:, 1:3],
        "one row repeated": base[:1].expand(4, -1),
    }[view]
    assert_same(send(sender, receiver, tensor), tensor)


def test_permuted_dimensions(sender, receiver, rng):
    """A view with its dimensions in another order comes back with each value in its place"""
    base = numbers(rng.randint(2, 3), rng.randint(4, 5), rng.randint(6, 7))
    for tensor in (base[0].t(), base.permute(2, 0, 1), base.transpose(0, 1)):
        assert_same(send(sender, receiver, tensor), tensor)


def send_rows(here, base, start, stop):
    # Cut beside the learner's code: a slice of rows that crosses arrives as a whole tensor.
    return here.module.serialize_type(base[start:stop])


def test_some_rows(sender, receiver, rng):
    """Of a slice of rows only these rows are sent"""
    base = numbers(rng.randint(5, 9), 3)
    encoded = travel(sender.run(send_rows, base, 1, 4))
    check(
        len(encoded["buffer"]) == 4 * 3 * 3,
        en="The buffer of a slice does not hold exactly the values of the slice. A slice looks "
        "into memory that belongs to a larger tensor.",
        zh="切片的缓冲区里，装的不正好是切片自己的元素。切片背后的内存属于一个更大的张量。",
    )
    assert_same(receiver.deserialize_type({}, encoded), base[1:4])


def test_row_by_row(learner, rng):
    """The buffer holds the values row by row, also where they lie otherwise in memory"""
    rows, columns = rng.randint(2, 4), rng.randint(5, 7)
    tensor = numbers(columns, rows).t()
    values = [value for row in tensor.tolist() for value in row]
    raw = b"".join(value.to_bytes(4, "little", signed=True) for value in values)
    encoded = travel(learner.serialize_type(tensor))
    assert_same(
        encoded,
        encoded_tensor(raw, [rows, columns]),
        en="The dict of a transposed tensor is not as agreed: four keys, the tensor's own shape, "
        "and its values row by row.",
        zh="转置后的张量，字典和约定的不一样：四个键，张量自己的形状，元素一行接一行。",
    )


# --- gradients, messages, memory --------------------------------------------------------------


def test_gradient_is_no_hindrance(sender, receiver):
    """A tensor that requires a gradient is sent as its values"""
    tensor = torch.randn(2, 3)
    assert_same(send(sender, receiver, tensor.clone().requires_grad_()), tensor)
    assert_same(send(sender, receiver, tensor.clone().requires_grad_().t()), tensor.t())


def send_parameter(here, values):
    import torch

    return here.module.serialize_type({"weight": torch.nn.Parameter(values)})


def test_parameter(sender, receiver):
    """An nn.Parameter is sent as its values"""
    values = torch.randn(3, 2)
    encoded = travel(sender.run(send_parameter, values))
    assert_same(receiver.deserialize_type({}, encoded), {"weight": values})


def requires_gradient_after_sending(here, values):
    leaf = values.clone().requires_grad_()
    here.module.serialize_type([leaf])
    return leaf.requires_grad


def test_senders_tensor_is_left_alone(learner):
    """The sender's own tensor still requires its gradient after it was sent"""
    check(
        learner.run(requires_gradient_after_sending, torch.randn(2, 3)),
        en="After sending, a tensor of the sender's no longer requires a gradient.",
        zh="发送之后，发送方自己的张量不再需要梯度了。",
    )


def test_tensors_in_messages(sender, receiver, rng):
    """Messages come back with tensors of different shapes anywhere inside"""
    layers = [numbers(rng.randint(1, 4), 2), numbers(2, 1, 3), torch.tensor(1.5)]
    message = Weights("all", {"layers": layers, "inner": Weights("none", torch.empty(0, 4))})
    assert_same(send(sender, receiver, message, {"Weights": Weights}), message)


def test_other_values_stay(sender, receiver, rng):
    """What is not a tensor comes back as before, also a dict with a key `shape`"""
    shapes = {"shape": [rng.randint(-9, -1), 3], "Shape": "(3,)", "": [], "形状": None}
    value = [None, True, rng.random(), "形状", b"\x00\xff", shapes]
    assert_same(send(sender, receiver, value), value)
    plain = {"buffer": rng.randbytes(8), "dtype": "torch.int32", "shape": [2]}
    assert_same(send(sender, receiver, plain), plain)


def test_fields_named_like_a_tensors(sender, receiver, rng):
    """An object whose fields are called as the keys of a tensor comes back as an object"""
    tile = Tile(buffer=rng.randbytes(8), dtype="torch.int32", shape=[2])
    assert_same(send(sender, receiver, [tile], {"Tile": Tile}), [tile])


def send_with_a_note(here, name):
    from dataclasses import dataclass

    @dataclass
    class Weights:
        name: str

    weights = Weights(name)
    weights.shape = [2, 3]
    return here.module.serialize_type(weights)


def test_other_attributes_are_not_sent(learner, rng):
    """An attribute that is no field is not sent, as before"""
    name = f"layer {rng.randint(1, 99)}"
    encoded = learner.run(send_with_a_note, name)
    assert_same(encoded, {"__type__": "Weights", "name": name})


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


@pytest.mark.parametrize("name", ["Ghost", "serialize_type", "print", "torch"])
def test_unknown_type(learner, name):
    """A type name that is not in `cls_map` is refused as before, and the text names it"""
    with learner.raises(*REFUSALS, match=re.escape(name)):
        learner.deserialize_type({"Weights": Weights}, [{"__type__": name, "obj": 7}])


def decode_and_write(here, data):
    tensor = here.module.deserialize_type({}, data)
    tensor[0, 0] = -1
    tensor.add_(1)
    return tensor, data["buffer"]


def test_decoded_rows_can_be_written(learner, rng):
    """A decoded tensor can be written to, and the data it was made of does not change"""
    values = [rng.randrange(2**31 - 1) for _ in range(6)]
    raw = b"".join(value.to_bytes(4, "little") for value in values)
    tensor, after = learner.run(decode_and_write, encoded_tensor(raw, [3, 2]))
    expected = torch.tensor([0, *(value + 1 for value in values[1:])], dtype=torch.int32)
    assert_same(tensor, expected.reshape(3, 2))
    assert_same(
        after,
        raw,
        en="Writing to the decoded tensor changed the bytes that it was made of: both use the same "
        "memory, and Python takes it for granted that bytes never change.",
        zh="往还原出来的张量里写，原来的字节也跟着变了：两者用的是同一块内存，"
        "而 Python 默认字节串永远不变。",
    )


# --- shapes that lie --------------------------------------------------------------------------


def test_shape_for_fewer_values(learner, rng):
    """A buffer with more than the shape says is refused"""
    rows = rng.randint(2, 4)
    for shape in [[], [1], [rows], [rows, 2], [0], [rows, 0]]:
        with learner.raises(ValueError):
            learner.deserialize_type({}, encoded_tensor(rng.randbytes(4 * 3 * rows), shape))


def test_shape_for_more_values(learner, rng):
    """A buffer with less than the shape says is refused"""
    rows = rng.randint(2, 4)
    for shape in [[3 * rows + 1], [rows, 4], [3, rows, 2]]:
        with learner.raises(ValueError):
            learner.deserialize_type({}, encoded_tensor(rng.randbytes(4 * 3 * rows), shape))


def test_part_of_a_value(learner, rng):
    """A buffer that ends in the middle of a value is refused"""
    for shape in [[1], [2], [1, 2]]:
        with learner.raises(ValueError):
            learner.deserialize_type({}, encoded_tensor(rng.randbytes(6), shape))


@pytest.mark.parametrize("shape", [[], [3], [2, 3]], ids=str)
def test_values_without_bytes(learner, shape):
    """An empty buffer is refused for a shape that has values, also for a single number"""
    with learner.raises(ValueError):
        learner.deserialize_type({}, encoded_tensor(b"", shape))


@pytest.mark.parametrize("shape", [[-1], [-1, 3], [2, -1], [2, -3], [-2, -3], [-6, -1]], ids=str)
def test_negative_size(learner, rng, shape):
    """A negative size is refused, also -1, also where two of them would give the right product"""
    with learner.raises(ValueError):
        learner.deserialize_type({}, encoded_tensor(rng.randbytes(24), shape))


@pytest.mark.parametrize("shape", [[0, -1], [-3, 0]], ids=str)
def test_negative_size_without_bytes(learner, shape):
    """A negative size is refused for an empty tensor too"""
    with learner.raises(ValueError):
        learner.deserialize_type({}, encoded_tensor(b"", shape))


@pytest.mark.parametrize("shape", [[10**9] * 3, [2**31, 2**30], [10**6, 10**6]], ids=str)
def test_huge_shape(learner, rng, shape):
    """A shape that claims more than any memory is refused before memory is asked for"""
    with learner.raises(ValueError):
        learner.deserialize_type({}, encoded_tensor(rng.randbytes(8), shape))


def test_product_beyond_64_bits(learner, rng):
    """A shape is refused also if its product would fit after running over 64 bits"""
    # In 64-bit arithmetic the first product is 0, the second 2: just what the buffers hold.
    for buffer, shape in [(b"", [2**32, 2**32]), (rng.randbytes(8), [6, (2**63 + 1) // 3])]:
        with learner.raises(ValueError):
            learner.deserialize_type({}, encoded_tensor(buffer, shape))
