"""One turn of the tokenizer's loop: take what is there, work through it at once, pass it on in order."""

from __future__ import annotations

from collections.abc import Callable
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


def unwrap(message: Any) -> list[Any]:
    if not isinstance(message, BatchTokenizerMsg):
        return [message]
    return [single for part in message.data for single in unwrap(part)]


def serve_once(
    requests: Requests,
    to_scheduler: Outlet,
    to_frontend: Outlet,
    tokenizer: Tokenizer,
    limit: int,
) -> None:
    messages = unwrap(requests.get())
    while len(messages) < limit and not requests.empty():
        messages += unwrap(requests.get())
    for message in messages:
        if not isinstance(message, TokenizeMsg | DetokenizeMsg | AbortMsg):
            raise TypeError(f"a {type(message).__name__} is no message to the tokenizer")
    _put_together(to_frontend, _replies(messages, tokenizer), BatchFrontendMsg)
    _put_together(to_scheduler, _work(messages, tokenizer), BatchBackendMsg)


def _replies(messages: list[Any], tokenizer: Tokenizer) -> list[Any]:
    tokens = [message for message in messages if isinstance(message, DetokenizeMsg)]
    if not tokens:
        return []
    texts = iter(tokenizer.detokenize([(message.uid, message.next_token) for message in tokens]))
    return [UserReply(message.uid, next(texts), message.finished) for message in tokens]


def _work(messages: list[Any], tokenizer: Tokenizer) -> list[Any]:
    """Prompts and aborts as they came: an abort may not overtake the request that it ends."""
    prompts = [message.text for message in messages if isinstance(message, TokenizeMsg)]
    ids = iter(tokenizer.tokenize(prompts) if prompts else [])
    work: list[Any] = []
    for message in messages:
        if isinstance(message, TokenizeMsg):
            tensor = torch.tensor(next(ids), dtype=torch.int32)
            work.append(UserMsg(message.uid, tensor, message.sampling_params))
        elif isinstance(message, AbortMsg):
            work.append(AbortBackendMsg(message.uid))
    return work


def _put_together(queue: Outlet, messages: list[Any], batch: Callable[[list[Any]], Any]) -> None:
    """All in one `put`. A single message needs no batch around it, and nothing is not sent."""
    if len(messages) > 1:
        queue.put(batch(messages))
    elif messages:
        queue.put(messages[0])
