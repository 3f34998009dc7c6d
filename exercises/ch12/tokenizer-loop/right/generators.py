"""One turn of the tokenizer's loop.

Differs: messages flow through generators; results are found by the message that they come from; replies
go out before the prompts are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from minisgl.core import SamplingParams

# --- given: the messages, as in the exercise `message-groups` ---
# To the tokenizer:


@dataclass
class TokenizeMsg:
    uid: int
    text: Any  # a str, or a chat: a list of dicts {"role": …, "content": …}
    sampling_params: SamplingParams


@dataclass
class DetokenizeMsg:
    uid: int
    next_token: int
    finished: bool


@dataclass
class AbortMsg:
    uid: int


@dataclass
class BatchTokenizerMsg:
    data: list[Any]  # messages to the tokenizer, batches too


# To the scheduler:


@dataclass
class UserMsg:
    uid: int
    input_ids: torch.Tensor  # 1-D, int32
    sampling_params: SamplingParams


@dataclass
class AbortBackendMsg:
    uid: int


@dataclass
class BatchBackendMsg:
    data: list[Any]  # messages to the scheduler


# To the API server:


@dataclass
class UserReply:
    uid: int
    incremental_output: str
    finished: bool


@dataclass
class BatchFrontendMsg:
    data: list[UserReply]


# --- given: what `serve_once` works with ---


class Requests(Protocol):
    """The queue of messages to the tokenizer: a PULL queue."""

    def get(self) -> Any:
        """Wait for the next message and take it."""

    def empty(self) -> bool:
        """Whether no message has arrived. Does not wait."""


class Outlet(Protocol):
    """A queue to another process: a PUSH queue."""

    def put(self, message: Any) -> None:
        """Send one message, which may be a batch."""


class Tokenizer(Protocol):
    """Works on lists, because many at once are faster than one after the other."""

    def tokenize(self, prompts: list[Any]) -> list[list[int]]:
        """The token ids of each prompt, a text or a chat."""

    def detokenize(self, tokens: list[tuple[int, int]]) -> list[str]:
        """For each `(uid, token)` the text that this token adds to the answer of `uid`."""


def singles(message: Any) -> Iterator[Any]:
    if isinstance(message, BatchTokenizerMsg):
        for part in message.data:
            yield from singles(part)
    else:
        yield message


def unwrap(message: Any) -> list[Any]:
    return list(singles(message))


def arrivals(requests: Requests, limit: int) -> Iterator[Any]:
    left = limit
    waits = True
    while waits or (left > 0 and not requests.empty()):
        waits = False
        for message in singles(requests.get()):
            left -= 1
            yield message


def ship(queue: Outlet, messages: list[Any], kind: type) -> None:
    if messages:
        (first, *others) = messages
        queue.put(kind(messages) if others else first)


def serve_once(
    requests: Requests,
    to_scheduler: Outlet,
    to_frontend: Outlet,
    tokenizer: Tokenizer,
    limit: int,
) -> None:
    messages = list(arrivals(requests, limit))
    strays = [m for m in messages if not isinstance(m, (TokenizeMsg, DetokenizeMsg, AbortMsg))]
    if strays:
        raise TypeError("not for the tokenizer: " + ", ".join(type(m).__name__ for m in strays))

    tokens = [m for m in messages if isinstance(m, DetokenizeMsg)]
    texts = tokenizer.detokenize([(m.uid, m.next_token) for m in tokens]) if tokens else ()
    replies = [UserReply(tokens[i].uid, text, tokens[i].finished) for i, text in enumerate(texts)]
    ship(to_frontend, replies, BatchFrontendMsg)

    prompts = [m for m in messages if isinstance(m, TokenizeMsg)]
    rows = tokenizer.tokenize([m.text for m in prompts]) if prompts else ()
    ids = {id(m): torch.tensor(row).int() for m, row in zip(prompts, rows, strict=True)}
    work = [
        AbortBackendMsg(m.uid)
        if isinstance(m, AbortMsg)
        else UserMsg(m.uid, ids[id(m)], m.sampling_params)
        for m in messages
        if not isinstance(m, DetokenizeMsg)
    ]
    ship(to_scheduler, work, BatchBackendMsg)
