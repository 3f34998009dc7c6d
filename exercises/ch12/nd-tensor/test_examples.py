"""Example tests: a batch of two prompts, a view, a single number, and a shape that cannot be."""

from dataclasses import dataclass

import msgpack
import torch

from judge.kit import assert_same, check


@dataclass
class Batch:
    name: str
    input_ids: torch.Tensor


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


def unpack(raw):
    return msgpack.unpackb(raw, raw=False)


def test_two_rows_become_a_dict(learner):
    """A tensor of two rows becomes a dict of four keys"""
    tensor = torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.int32)
    expected = {
        "__type__": "Tensor",
        "buffer": bytes.fromhex("01000000 02000000 03000000 04000000 05000000 06000000"),
        "dtype": "torch.int32",
        "shape": [2, 3],
    }
    assert_same(unpack(pack(learner.serialize_type(tensor))), expected)


def test_two_rows_come_back(sender, receiver):
    """A tensor of two rows comes back in another process"""
    tensor = torch.tensor([[0.5, -1.0, 2.25], [3.0, 4.5, -6.0]])
    raw = pack(sender.serialize_type(tensor))
    assert_same(receiver.deserialize_type({}, unpack(raw)), tensor)


def test_transposed_comes_back(sender, receiver):
    """A transposed view comes back with the values in their places"""
    tensor = torch.arange(6, dtype=torch.int64).reshape(2, 3).t()
    raw = pack(sender.serialize_type(tensor))
    assert_same(receiver.deserialize_type({}, unpack(raw)), tensor)


def test_single_number_comes_back(sender, receiver):
    """A single number (0-d) comes back as a single number"""
    tensor = torch.tensor(3.5)
    raw = pack(sender.serialize_type(tensor))
    assert_same(receiver.deserialize_type({}, unpack(raw)), tensor)


def test_batch_in_a_message(sender, receiver):
    """A message with a tensor of shape [batch, seq] comes back"""
    ids = torch.tensor([[9707, 11, 1879], [9707, 0, 0]], dtype=torch.int32)
    batch = Batch("two prompts", ids)
    raw = pack(sender.serialize_type(batch))
    assert_same(receiver.deserialize_type({"Batch": Batch}, unpack(raw)), batch)


def test_shape_that_does_not_fit(learner):
    """Six values cannot be a tensor of shape [2, 4]: ValueError"""
    data = {"__type__": "Tensor", "buffer": bytes(24), "dtype": "torch.int32", "shape": [2, 4]}
    with learner.raises(ValueError):
        learner.deserialize_type({}, data)
