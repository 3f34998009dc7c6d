# /// wrong
# fails = ["test_blocking_takes_all_that_is_there"]
# en = """\
# With `blocking=True` the step ends after the first message, although more have arrived. \
# `blocking` says only what happens if nothing is there; it does not say how many messages a \
# step has. After the first message, what is left to do?"""
# zh = """\
# `blocking=True` 时，取到第一条消息这一步就结束了，尽管还有别的消息已经到达。`blocking` 只说\
# 明没有消息时怎么办，并没有说一步有几条消息。取到第一条之后，还要做什么？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while not blocking and not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    for raw in raws:
        to_ranks.put_raw(raw)
    group.broadcast(len(raws))
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
