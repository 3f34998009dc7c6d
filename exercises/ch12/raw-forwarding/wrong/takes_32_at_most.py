# /// wrong
# fails = ["test_many_in_one_step"]
# en = """\
# Your step ends after a fixed number of messages. What is left over waits for the next step, and \
# under load there is more left over each time. How many requests fit into a step is for the \
# scheduler to decide, and it can only choose among those that it knows."""
# zh = """\
# 你的一步取够固定的条数就结束。剩下的要等下一步，负载高的时候，剩下的会越来越多。一步里放得下\
# 多少请求，由调度器（scheduler）决定，而它只能在它知道的请求里挑选。"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while len(raws) < 32 and not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    for raw in raws:
        to_ranks.put_raw(raw)
    group.broadcast(len(raws))
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
