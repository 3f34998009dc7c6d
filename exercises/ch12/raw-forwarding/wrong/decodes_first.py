# /// wrong
# fails = [
#     "test_announces_before_it_decodes",
#     "test_forwards_all_before_it_decodes_one",
#     "test_forwards_before_it_decodes",
#     "test_undecodable_on_rank0",
# ]
# en = """\
# Rank 0 decodes the messages and forwards them afterwards. So all other ranks wait until rank \
# 0 is done with its decoding, only to do the same work then: with long prompts the step takes \
# twice as long. And if a message cannot be decoded, nothing is forwarded or announced at all, \
# and the others wait for ever. What do the other ranks need from rank 0, the messages or the \
# bytes?"""
# zh = """\
# rank 0 先解码，然后才转发。于是其他所有 rank 都要等 rank 0 解码完，才开始做同样的工作：提示\
# 词很长时，这一步要花两倍的时间。而且，如果有一条消息无法解码，就什么也不会转发和宣布，其他 rank \
# 会一直等下去。其他 rank 需要 rank 0 给的是消息，还是字节？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    messages = [from_tokenizer.decode(raw) for raw in raws]
    for raw in raws:
        to_ranks.put_raw(raw)
    group.broadcast(len(raws))
    return messages


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
