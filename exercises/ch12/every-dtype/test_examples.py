"""Example tests: bfloat16 as bytes and back, 0-d and empty tensors, views, gradients."""

from dataclasses import dataclass

import msgpack
import torch

from judge.kit import assert_same, check


@dataclass
class Layer:
    name: str
    weight: torch.Tensor


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


def test_bfloat16_becomes_bytes(learner):
    """A bfloat16 tensor becomes two bytes for each value"""
    tensor = torch.tensor([[1.0, -2.5]], dtype=torch.bfloat16)
    expected = {
        "__type__": "Tensor",
        "buffer": bytes.fromhex("803f 20c0"),
        "dtype": "torch.bfloat16",
        "shape": [1, 2],
    }
    assert_same(unpack(pack(learner.serialize_type(tensor))), expected)


def test_bfloat16_comes_back(sender, receiver):
    """A message with a bfloat16 tensor comes back in another process"""
    layer = Layer("attention", torch.tensor([[0.5, -1.0], [3.0, 0.0]], dtype=torch.bfloat16))
    raw = pack(sender.serialize_type(layer))
    assert_same(receiver.deserialize_type({"Layer": Layer}, unpack(raw)), layer)


def test_one_value_and_none(sender, receiver):
    """A single truth value (0-d) and an empty bfloat16 tensor come back"""
    for tensor in [torch.tensor(True), torch.empty(0, 3, dtype=torch.bfloat16)]:
        raw = pack(sender.serialize_type(tensor))
        assert_same(receiver.deserialize_type({}, unpack(raw)), tensor)


def test_transposed_bfloat16(sender, receiver):
    """A transposed bfloat16 view comes back with the values in their places"""
    tensor = torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.bfloat16).t()
    raw = pack(sender.serialize_type(tensor))
    assert_same(receiver.deserialize_type({}, unpack(raw)), tensor)


def test_gradient_stays_here(sender, receiver):
    """A bfloat16 tensor that requires a gradient is sent as its values"""
    tensor = torch.tensor([1.5, -0.5], dtype=torch.bfloat16)
    raw = pack(sender.serialize_type(tensor.clone().requires_grad_()))
    assert_same(receiver.deserialize_type({}, unpack(raw)), tensor)
