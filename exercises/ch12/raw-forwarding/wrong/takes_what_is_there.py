# /// wrong
# fails = [
#     "test_other_rank_follows",
#     "test_other_rank_lets_the_exception_out",
#     "test_takes_no_more_than_announced",
#     "test_three_ranks_in_step",
#     "test_two_ranks_in_step",
#     "test_undecodable_on_another_rank",
#     "test_waits_for_what_is_announced",
# ]
# en = """\
# The other ranks take whatever has arrived at them. But what has arrived is different on \
# every rank: a message may be late on one, and on another the next step's may be there \
# already. From then on the ranks compute different things. The number that rank 0 announces \
# is the same everywhere: what is it good for?"""
# zh = """\
# 其他 rank 有什么到了就取什么。可是每个 rank 上已经到达的并不一样：在这个 rank 上，消息可能还\
# 在路上；在那个 rank 上，下一步的消息可能已经到了。从那以后，各个 rank 算的就不一样了。rank 0 \
# 宣布的数目在哪里都相同，它是做什么用的？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    for raw in raws:
        to_ranks.put_raw(raw)
    group.broadcast(len(raws))
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    group.broadcast(None)
    raws = []
    while not from_rank0.empty():
        raws.append(from_rank0.get_raw())
    return [from_rank0.decode(raw) for raw in raws]
