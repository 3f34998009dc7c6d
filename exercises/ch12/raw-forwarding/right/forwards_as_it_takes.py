"""One step of receiving on every rank.

Differs: each message is forwarded as soon as it is taken, and all are decoded at the end.
"""

from __future__ import annotations

from collections import deque
from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    step: deque[bytes] = deque()
    while (blocking and not step) or not from_tokenizer.empty():
        step.append(from_tokenizer.get_raw())
        to_ranks.put_raw(step[-1])
    group.broadcast(len(step))
    messages = []
    while step:
        messages.append(from_tokenizer.decode(step.popleft()))
    return messages


def receive_on_other_rank(from_rank0: Any, group: Any) -> list[Any]:
    left = group.broadcast(None)
    step = []
    while left > 0:
        step.append(from_rank0.get_raw())
        left -= 1
    return list(map(from_rank0.decode, step))
