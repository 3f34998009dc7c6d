# /// wrong
# fails = ["test_announces_before_it_decodes", "test_undecodable_on_rank0"]
# en = """\
# The bytes go out first, and that is good. But the number follows only after rank 0 has \
# decoded everything. The other ranks have the messages and may not take them, because they do \
# not know how many belong to the step. If a message cannot be decoded, they never learn it. \
# What do they wait for first?"""
# zh = """\
# 字节先发出去了，这很好。但数目要等 rank 0 全部解码完才宣布。其他 rank 手里有消息，却不能取，\
# 因为不知道这一步有几条。如果有一条消息无法解码，它们就永远不会知道。它们首先等的是什么？"""
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
    messages = [from_tokenizer.decode(raw) for raw in raws]
    group.broadcast(len(messages))
    return messages


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
