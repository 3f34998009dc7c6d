# /// wrong
# fails = ["test_other_rank_lets_the_exception_out"]
# en = """\
# The other rank catches what `decode` raises, and returns as if nothing had happened. Rank 0 lets \
# the exception out. From now on the two do not compute the same, and no log says why. A step that \
# cannot be read has to end alike on all ranks: what is left for you to do with the exception?"""
# zh = """\
# 另一个 rank 自己接住了 `decode` 抛出的异常，然后照常返回，好像什么也没发生。rank 0 则让异常传了\
# 出去。从这时起，两边算的就不一样了，日志里也看不出原因。读不懂的一步，在所有 rank 上都必须以同样的\
# 方式结束：那么，对这个异常你该做什么？"""
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
    raws = [from_rank0.get_raw() for _ in range(count)]
    messages = []
    for raw in raws:
        try:
            messages.append(from_rank0.decode(raw))
        except Exception:
            continue
    return messages
