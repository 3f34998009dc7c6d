"""There and back between two processes; how many bytes it takes; what must not be accepted."""

from dataclasses import dataclass, make_dataclass

import torch

from judge.kit import assert_same, check

# The messages of the chapter, and the sampling parameters, with their names and fields.


@dataclass
class SamplingParams:
    temperature: float
    top_k: int
    top_p: float
    ignore_eos: bool
    max_tokens: int


@dataclass
class UserMsg:
    uid: int
    input_ids: torch.Tensor
    sampling_params: SamplingParams


@dataclass
class ExitMsg:
    pass


@dataclass
class BatchBackendMsg:
    data: list


@dataclass
class Scores:
    values: torch.Tensor


CLASSES = [BatchBackendMsg, ExitMsg, UserMsg, SamplingParams, Scores]


def test_round_trip(sender, receiver, rng):
    """A batch of messages crosses and is the same again"""
    ids = torch.tensor([rng.randrange(50_000) for _ in range(9)], dtype=torch.int32)
    params = SamplingParams(rng.random(), -1, 0.9, True, 512)
    batch = BatchBackendMsg([UserMsg(rng.randrange(10_000), ids, params), ExitMsg()])
    data = sender.pack(batch, CLASSES)
    assert_same(receiver.unpack(data, CLASSES), batch)


def test_golden_message_fits(sender, receiver):
    """The message of 229 bytes takes at most half of them"""
    ids = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    batch = BatchBackendMsg([UserMsg(7, ids, SamplingParams(0.6, -1, 1.0, False, 64))])
    data = sender.pack(batch, CLASSES)
    assert_same(receiver.unpack(data, CLASSES), batch)
    check(
        len(data) <= 114,
        en=f"The message takes {len(data)} bytes. Which of them does the receiver know already?",
        zh=f"这条消息用了 {len(data)} 个字节。其中哪些是接收方早就知道的？",
    )


def test_tensor_keeps_its_shape(sender, receiver, rng):
    """A tensor of shape [batch, seq] keeps its shape"""
    shape = (rng.randint(2, 4), rng.randint(5, 9))
    message = Scores(torch.randint(1000, shape, dtype=torch.int32))
    data = sender.pack(message, CLASSES)
    assert_same(receiver.unpack(data, CLASSES), message)


def test_refuses_swapped_fields(sender, receiver, rng):
    """A receiver whose fields stand in another order refuses"""
    ours = make_dataclass("DetokenizeMsg", ["uid", "next_token", "finished"])
    theirs = make_dataclass("DetokenizeMsg", ["next_token", "uid", "finished"])
    data = sender.pack(ours(rng.randrange(100), rng.randrange(100), False), [ours])
    with receiver.raises(ValueError, match=r"\w"):
        receiver.unpack(data, [theirs])


def test_refuses_a_class_that_is_not_listed(learner):
    """A message of a class that is not in the list is refused by name"""
    with learner.raises(TypeError, match="UserMsg"):
        learner.pack(BatchBackendMsg([UserMsg(1, None, None)]), [BatchBackendMsg, ExitMsg])
