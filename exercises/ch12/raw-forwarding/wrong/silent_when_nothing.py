# /// wrong
# fails = [
#     "test_every_step_is_announced_once",
#     "test_nothing_has_arrived",
#     "test_three_ranks_in_step",
#     "test_two_ranks_in_step",
# ]
# en = """\
# If nothing has arrived, rank 0 returns at once, without a word to the others. But they do \
# not know that there is nothing: they wait for the number, and so they wait for ever, or take \
# the next step's number for this one's. Which number tells them that they may go on?"""
# zh = """\
# 没有消息时，rank 0 立刻返回，对其他 rank 一声不吭。可它们并不知道没有消息：它们在等那个数目，\
# 于是一直等下去，或者把下一步的数目当成这一步的。哪个数目可以告诉它们继续往下走？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    if not raws:
        return []
    for raw in raws:
        to_ranks.put_raw(raw)
    group.broadcast(len(raws))
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
