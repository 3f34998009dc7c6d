"""One step of receiving on every rank.

Differs: the number goes out before the bytes, and a message counts as taken once, by a generator.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any


def taken(queue: Any, blocking: bool) -> Iterator[bytes]:
    if blocking:
        yield queue.get_raw()
    while not queue.empty():
        yield queue.get_raw()


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = tuple(taken(from_tokenizer, blocking))
    number = group.broadcast(len(raws))
    assert number == len(raws)
    for raw in raws:
        to_ranks.put_raw(raw)
    return list(map(from_tokenizer.decode, raws))


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    raws = tuple(from_rank0.get_raw() for _ in repeat(None, group.broadcast(None)))
    return list(map(from_rank0.decode, raws))
