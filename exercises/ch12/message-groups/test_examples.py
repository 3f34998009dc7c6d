"""Example tests: two ways to a dict, the way back, a whole batch, and somebody else's mail.

The classes are yours, so they stay beside your code: here a message is a tuple of its class's name
and its fields, as in `("AbortMsg", 7)`.
"""

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


# These run beside your code. `here.module` is your file.


def encode(here, message):
    """The dict that a message's own `encoder` gives."""

    def build(part):
        if isinstance(part, list):
            return [build(item) for item in part]
        if isinstance(part, tuple):
            return getattr(here.module, part[0])(*map(build, part[1:]))
        return part

    return build(message).encoder()


def encode_by_base(here, base, name, *values):
    """The dict that the `encoder` of the base class gives."""
    return getattr(here.module, base).encoder(getattr(here.module, name)(*values))


def decode(here, base, data):
    """The message that the `decoder` of the base class gives, as a tuple."""
    from dataclasses import fields, is_dataclass

    def describe(part):
        if isinstance(part, list):
            return [describe(item) for item in part]
        name = type(part).__name__
        if type(part) is getattr(here.module, name, None) and name != "SamplingParams":
            known = fields(part) if is_dataclass(part) else ()
            return (name, *(describe(getattr(part, field.name)) for field in known))
        return part

    return describe(getattr(here.module, base).decoder(data))


def travel(encoded):
    """What arrives of the sender's dict: msgpack's own types and nothing else."""
    try:
        return msgpack.unpackb(msgpack.packb(encoded, use_bin_type=True), raw=False)
    except Exception as error:
        check(
            False,
            en=f"msgpack cannot pack what `encoder` gives: {error}. Something in it is neither a "
            "primitive nor a list nor a dict.",
            zh=f"msgpack 无法打包 `encoder` 的结果：{error}。里面还有既不是基本类型、"
            "也不是列表或字典的东西。",
        )


def test_message_becomes_a_dict(learner):
    """A message becomes a dict with its class's name and its fields"""
    reply = ("UserReply", 7, "你好", False)
    expected = {"__type__": "UserReply", "uid": 7, "incremental_output": "你好", "finished": False}
    assert_same(learner.run(encode, reply), expected)


def test_queue_encodes_by_the_base(learner):
    """A queue, which knows only the base class, gets the same dict from its `encoder`"""
    encoded = learner.run(encode_by_base, "BaseBackendMsg", "AbortBackendMsg", 7)
    assert_same(encoded, {"__type__": "AbortBackendMsg", "uid": 7})


def test_message_comes_back(sender, receiver):
    """A message comes back in another process"""
    message = ("TokenizeMsg", 7, "Hello", SamplingParams(temperature=0.6))
    encoded = travel(sender.run(encode, message))
    assert_same(receiver.run(decode, "BaseTokenizerMsg", encoded), message)


def test_bytes_of_a_whole_message(learner):
    """A batch with one user message becomes exactly 229 bytes, and the bytes become a batch"""
    params = SamplingParams(temperature=0.6, max_tokens=64)
    ids = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    batch = ("BatchBackendMsg", [("UserMsg", 7, ids, params)])
    assert_same(
        msgpack.packb(travel(learner.run(encode, batch)), use_bin_type=True),
        WHOLE_MESSAGE,
        en="The bytes of the message differ. Look at the names of the keys and at their order: "
        "`__type__` first, then the fields as in the table.",
        zh="消息的字节不一样。看看键的名字和顺序：先是 `__type__`，再按表中的顺序放各个字段。",
    )
    decoded = learner.run(decode, "BaseBackendMsg", msgpack.unpackb(WHOLE_MESSAGE, raw=False))
    assert_same(decoded, batch)


def test_other_group_is_refused(learner):
    """A scheduler refuses a message that is for the API server, and says which"""
    reply = {"__type__": "UserReply", "uid": 7, "incremental_output": "hi", "finished": False}
    with learner.raises(ValueError, TypeError, KeyError, match="UserReply"):
        learner.run(decode, "BaseBackendMsg", reply)
