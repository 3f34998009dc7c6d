# /// wrong
# fails = ["test_blocking_step_is_never_empty", "test_blocking_waits_for_the_first"]
# en = """\
# Your step never waits, whatever `blocking` says. If nothing is running, the model calls this \
# function to sleep until there is work. With an empty step it comes back at once, again and again, \
# and a processor is busy with nothing. What should happen with `blocking=True` if no message is there?"""
# zh = """\
# 不管 `blocking` 是什么，你的这一步都不等待。没有请求在运行时，模型调用这个函数，是为了休眠到有活\
# 可干为止。如果这一步是空的，它就会立刻再来一遍，一遍又一遍，让一个处理器白白忙碌。`blocking=True` \
# 而没有消息时，应当怎样？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
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
