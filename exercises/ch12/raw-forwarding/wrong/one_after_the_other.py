# /// wrong
# fails = [
#     "test_announces_before_it_decodes",
#     "test_forwards_all_before_it_decodes_one",
#     "test_undecodable_on_rank0",
# ]
# en = """\
# Each message is forwarded before it is decoded, but the second is forwarded only after the \
# first was decoded. So the other ranks still wait for rank 0, message by message. And if one \
# cannot be decoded, the rest of the step is never forwarded. Which work can be finished for \
# all messages first?"""
# zh = """\
# 每条消息都是先转发再解码，但第二条要等第一条解码完才转发。所以其他 rank 仍然在一条一条地等 rank \
# 0。如果有一条无法解码，这一步剩下的消息就再也不会转发。哪项工作可以先对所有消息做完？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    messages = []
    for raw in raws:
        to_ranks.put_raw(raw)
        messages.append(from_tokenizer.decode(raw))
    group.broadcast(len(raws))
    return messages


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
