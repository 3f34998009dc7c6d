# /// wrong
# fails = ["test_blocking_waits_for_the_first"]
# en = """\
# With `blocking=True` rank 0 asks `empty` again and again until a message comes. While the \
# model is idle, this keeps a processor busy with nothing, and it takes it away from the \
# tokenizer, which should send that very message. Which method waits without computing?"""
# zh = """\
# `blocking=True` 时，rank 0 一遍遍地问 `empty`，直到有消息。模型空闲的时候，这会让一个处理器白\
# 白忙碌，还抢走了分词器（tokenizer）的计算时间，而要等的消息正是由它发来的。哪个方法可以等待，\
# 却不占用处理器？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    while blocking and from_tokenizer.empty():
        pass
    while not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    for raw in raws:
        to_ranks.put_raw(raw)
    group.broadcast(len(raws))
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
