# /// wrong
# fails = ["test_undecodable_on_another_rank"]
# en = """\
# The other ranks decode each message as soon as they have taken it. If one cannot be decoded, \
# the exception ends the step in the middle, and the rest of its messages are still in the \
# queue: they become the first of the next step. Rank 0 had taken them all. What must be \
# finished before anything can fail?"""
# zh = """\
# 其他 rank 每取一条就立刻解码。如果有一条无法解码，异常会让这一步在中途结束，剩下的消息还留在\
# 队列里，变成了下一步最前面的消息。而 rank 0 已经把它们都取走了。在可能出错之前，什么事必须先\
# 做完？"""
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
    return [from_rank0.decode(from_rank0.get_raw()) for _ in range(count)]
