"""Example tests: a message there and back, a dict that looks like one, and bytes that lie."""

from dataclasses import dataclass
from typing import Any

import msgpack
import torch

from judge.kit import assert_same, check


@dataclass
class AbortMsg:
    uid: int


@dataclass
class Note:
    body: Any


CLASSES = {"AbortMsg": AbortMsg, "Note": Note}


def pack(data):
    return msgpack.packb(data, use_bin_type=True)


def test_message_comes_back(sender, receiver):
    """A message comes back in another process"""
    message = Note({"ids": torch.tensor([1, 2], dtype=torch.int32), 7: [AbortMsg(3), None, 0.5]})
    raw = sender.encode(message)
    check(
        type(raw) is bytes,
        en="`encode` should give bytes, ready for a socket.",
        zh="`encode` 应当给出可以直接交给套接字的字节串。",
    )
    assert_same(receiver.decode(CLASSES, raw), message)


def test_dict_of_the_user(sender, receiver):
    """A user's dict with the key `__type__` stays a dict"""
    message = Note({"__type__": "AbortMsg", "uid": 7})
    assert_same(receiver.decode(CLASSES, sender.encode(message)), message)


def test_cut_short(learner):
    """Half a message is refused"""
    raw = learner.encode(Note("hello"))
    with learner.raises(ValueError, match=r"\w"):
        learner.decode(CLASSES, raw[: len(raw) // 2])


def test_unknown_name(learner):
    """A type name that is not in `cls_map` is refused, and the text names it"""
    with learner.raises(ValueError, match="SystemExit"):
        learner.decode(CLASSES, pack({"__type__": "SystemExit"}))


def test_unknown_field(learner):
    """A field that the class does not have is refused, and the text names it"""
    with learner.raises(ValueError, match="priority"):
        learner.decode(CLASSES, pack({"__type__": "AbortMsg", "uid": 7, "priority": 1}))


def decode_with_a_function(here, raw):
    """Whether a function in `cls_map` was called, and what came of it."""
    called = []
    try:
        here.module.decode({"run": lambda **values: called.append(values)}, raw)
    except ValueError:
        return called, "refused"
    return called, "accepted"


def test_function_is_not_called(learner):
    """A name that stands for a function is refused, and the function is not called"""
    raw = pack({"__type__": "run", "command": "rm"})
    assert_same(learner.run(decode_with_a_function, raw), ([], "refused"))


def test_shape_that_lies(learner):
    """A tensor whose shape claims more than its buffer holds is refused"""
    tensor = {"__type__": "Tensor", "buffer": bytes(8), "dtype": "torch.int32", "shape": [1000]}
    with learner.raises(ValueError, match=r"\w"):
        learner.decode(CLASSES, pack({"__type__": "Note", "body": tensor}))
