# /// wrong
# fails = [
#     "test_every_step_is_announced_once",
#     "test_not_blocking_waits_for_nothing",
#     "test_nothing_has_arrived",
#     "test_three_ranks_in_step",
#     "test_two_ranks_in_step",
# ]
# en = """\
# Rank 0 waits for a message in every step. With `blocking=False` the model has work to go on \
# with, and new messages are taken only if they are there. So all running requests stand still \
# until somebody sends a new one. What does `blocking` mean?"""
# zh = """\
# rank 0 每一步都要等到一条消息。`blocking=False` 时，模型手头还有活要继续干，新消息只在已经到\
# 达时才取。像这样，所有正在运行的请求都会停住，直到有人发来新的请求。`blocking` 是什么意思？"""
# ///
from __future__ import annotations

from typing import Any


def receive_on_rank0(from_tokenizer: Any, to_ranks: Any, group: Any, blocking: bool) -> list[Any]:
    raws = []
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
    return [from_rank0.decode(raw) for raw in raws]
