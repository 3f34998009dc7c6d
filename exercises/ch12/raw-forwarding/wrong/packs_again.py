# /// wrong
# fails = [
#     "test_announces_before_it_decodes",
#     "test_bytes_are_not_packed_again",
#     "test_forwards_all_before_it_decodes_one",
#     "test_forwards_before_it_decodes",
#     "test_undecodable_on_rank0",
# ]
# en = """\
# The other ranks get messages that rank 0 has decoded and packed again. That costs time \
# twice, and it needs a decoder that understands every message. The bytes differ too: msgpack \
# has several forms for one value, and yours is another than the sender's. Which bytes has \
# rank 0 had in its hand all along?"""
# zh = """\
# 其他 rank 收到的，是 rank 0 解码后又重新打包的消息。这样要多花两遍时间，还要求解码器认得每一\
# 条消息。字节也不一样：同一个值在 msgpack 里有几种写法，你写出来的和发送者的不同。rank 0 手里\
# 一直有的，是哪些字节？"""
# ///
from __future__ import annotations

from typing import Any

import msgpack


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
    if blocking:
        raws.append(from_tokenizer.get_raw())
    while not from_tokenizer.empty():
        raws.append(from_tokenizer.get_raw())
    for raw in raws:
        to_ranks.put_raw(msgpack.packb(from_tokenizer.decode(raw)))
    group.broadcast(len(raws))
    return [from_tokenizer.decode(raw) for raw in raws]


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    count = group.broadcast(None)
    raws = [from_rank0.get_raw() for _ in range(count)]
    return [from_rank0.decode(raw) for raw in raws]
