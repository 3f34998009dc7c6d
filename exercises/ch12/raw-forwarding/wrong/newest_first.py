# /// wrong
# fails = [
#     "test_arrival_during_a_step",
#     "test_blocking_takes_all_that_is_there",
#     "test_bytes_are_not_packed_again",
#     "test_forwards_all_before_it_decodes_one",
#     "test_many_in_one_step",
#     "test_rank0_forwards_and_counts",
#     "test_three_ranks_in_step",
#     "test_two_ranks_in_step",
#     "test_undecodable_on_rank0",
# ]
# en = """\
# The messages of a step are forwarded from a stack, so the last comes first on the other \
# ranks. Rank 0 itself keeps the order. Two ranks that begin the same two requests in \
# different order put different tokens into the same row of a batch. Which end of the list has \
# the oldest message?"""
# zh = """\
# 一步里的消息是从栈里弹出来转发的，所以在其他 rank 上，最后一条反而最先到。rank 0 自己却保持\
# 着原来的顺序。两个 rank 如果按不同的顺序开始同样的两个请求，批次的同一行里就会放进不同的 token。\
# 列表的哪一端是最早的消息？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    stack = list(raws)
    while stack:
        to_ranks.put_raw(stack.pop())
    group.broadcast(len(raws))
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
