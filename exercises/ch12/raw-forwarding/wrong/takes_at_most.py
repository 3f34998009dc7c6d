# /// wrong
# fails = [
#     "test_other_rank_follows",
#     "test_other_rank_lets_the_exception_out",
#     "test_three_ranks_in_step",
#     "test_two_ranks_in_step",
#     "test_undecodable_on_another_rank",
#     "test_waits_for_what_is_announced",
# ]
# en = """\
# The other ranks stop at the announced number, but they also stop as soon as their queue is \
# empty. A message that is still on its way is then left out, and comes up in a later step, \
# while rank 0 has had it in this one. What was announced will come: what does a rank have to \
# do until then?"""
# zh = """\
# 其他 rank 取到宣布的数目就停，这没错；但队列一空，它们也停。还在路上的消息就被漏掉，到后面的\
# 某一步才出现，而 rank 0 在这一步就有了。已经宣布的消息一定会来：在它到来之前，这个 rank 该做\
# 什么？"""
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
    count = group.broadcast(None)
    raws = []
    while len(raws) < count and not from_rank0.empty():
        raws.append(from_rank0.get_raw())
    return [from_rank0.decode(raw) for raw in raws]
