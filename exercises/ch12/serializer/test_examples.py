"""Example tests: each row of the table, then a whole message on its way through msgpack."""

from dataclasses import dataclass

import msgpack
import torch
from minisgl.core import SamplingParams

from judge.kit import assert_same, check

WHOLE_MESSAGE = bytes.fromhex(
    """
    82a85f5f747970655f5faf42617463684261636b656e644d7367a4646174619184a85f5f747970655f5fa75573
    65724d7367a375696407a9696e7075745f69647383a85f5f747970655f5fa654656e736f72a6627566666572c4
    0ceb2500000b00000057070000a56474797065ab746f7263682e696e743332af73616d706c696e675f70617261
    6d7386a85f5f747970655f5fae53616d706c696e67506172616d73ab74656d7065726174757265cb3fe3333333
    333333a5746f705f6bffa5746f705f70cb3ff0000000000000aa69676e6f72655f656f73c2aa6d61785f746f6b
    656e7340
    """
)


@dataclass
class UserMsg:
    uid: int
    input_ids: torch.Tensor
    sampling_params: SamplingParams


@dataclass
class BatchBackendMsg:
    data: list[UserMsg]


@dataclass
class Point:
    x: int
    y: int


@dataclass
class Arrow:
    start: Point
    end: Point
    label: str


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


def test_primitives_stay(learner):
    """Primitives stay as they are, in both directions"""
    for value in [None, True, 7, 0.6, "hello", b"\x00\xff"]:
        assert_same(learner.serialize_type(value), value)
        assert_same(learner.deserialize_type({}, value), value)


def test_dataclass_becomes_a_dict(learner):
    """A dataclass becomes a dict with its class name and its fields"""
    encoded = learner.serialize_type(Point(3, -4))
    assert_same(encoded, {"__type__": "Point", "x": 3, "y": -4})


def test_tensor_becomes_bytes(learner):
    """A 1-D tensor becomes its raw bytes and the name of its dtype"""
    tensor = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    raw = b"\xeb\x25\x00\x00" + b"\x0b\x00\x00\x00" + b"\x57\x07\x00\x00"
    expected = {"__type__": "Tensor", "buffer": raw, "dtype": "torch.int32"}
    assert_same(learner.serialize_type(tensor), expected)


def test_object_comes_back(sender, receiver):
    """An object with objects in its fields comes back in another process"""
    arrow = Arrow(Point(0, 0), Point(3, 4), "up → right")
    raw = pack(sender.serialize_type(arrow))
    assert_same(receiver.deserialize_type({"Arrow": Arrow, "Point": Point}, unpack(raw)), arrow)


def test_tensor_comes_back(sender, receiver):
    """A 1-D tensor comes back with its dtype and its values"""
    tensor = torch.tensor([0.5, -1.25, 3.0], dtype=torch.float32)
    raw = pack(sender.serialize_type(tensor))
    assert_same(receiver.deserialize_type({}, unpack(raw)), tensor)


def test_bytes_of_a_whole_message(learner):
    """A batch with one user message becomes exactly the 229 bytes that every machine makes of it"""
    params = SamplingParams(temperature=0.6, max_tokens=64)
    tensor = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    batch = BatchBackendMsg([UserMsg(uid=7, input_ids=tensor, sampling_params=params)])
    assert_same(
        pack(learner.serialize_type(batch)),
        WHOLE_MESSAGE,
        en="The bytes of the message differ. Look at the names of the keys and at their order: "
        "`__type__` first, then the fields as they are declared.",
        zh="消息的字节不一样。看看键的名字和顺序：先是 `__type__`，再按声明的顺序放各个字段。",
    )
