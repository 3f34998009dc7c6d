# /// wrong
# fails = ["test_waits_for_what_is_announced"]
# en = """\
# The other rank takes what was announced, and that is right. But while a message is on its way, it \
# asks `empty` again and again. That keeps a processor busy with nothing, on a machine where every \
# processor feeds a GPU. Which method waits for the next message without computing?"""
# zh = """\
# 另一个 rank 宣布几条就取几条，这是对的。可是消息还在路上的时候，它一遍遍地问 `empty`。这会让一个\
# 处理器白白忙碌，而这台机器上的每个处理器都在为 GPU 供应数据。哪个方法可以等待下一条消息，却不占用\
# 处理器？"""
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
    while len(raws) < count:
        if not from_rank0.empty():
            raws.append(from_rank0.get_raw())
    return [from_rank0.decode(raw) for raw in raws]
