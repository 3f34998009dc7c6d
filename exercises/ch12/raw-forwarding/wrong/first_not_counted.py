# /// wrong
# fails = ["test_blocking_takes_all_that_is_there", "test_blocking_waits_for_the_first"]
# en = """\
# With `blocking=True` the first message is forwarded by itself, and the number that follows \
# counts only the others. So the ranks that go by the number leave one message behind in each \
# such step. Of which messages does the number have to speak?"""
# zh = """\
# `blocking=True` 时，第一条消息单独转发，后面宣布的数目只算其余的消息。于是按数目取消息的 rank，\
# 每一步都会落下一条。这个数目应当包括哪些消息？"""
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
    group.broadcast(len(raws) - blocking)
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
