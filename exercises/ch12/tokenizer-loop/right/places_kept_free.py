"""One turn of the tokenizer's loop.

Differs: batches are opened with a stack; each kind of message has a function of its own; places for the
prompts are kept free in the list for the scheduler until their ids are there.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

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
    singles: list[Any] = []
    stack = [message]
    while stack:
        top = stack.pop()
        if type(top) is BatchTokenizerMsg:
            stack.extend(reversed(top.data))
        else:
            singles.append(top)
    return singles


class Turn:
    def __init__(self) -> None:
        self.work: list[Any] = []
        self.prompts: deque[tuple[int, TokenizeMsg]] = deque()
        self.tokens: list[DetokenizeMsg] = []

    def tokenize(self, message: TokenizeMsg) -> None:
        self.prompts.append((len(self.work), message))
        self.work.append(None)

    def detokenize(self, message: DetokenizeMsg) -> None:
        self.tokens.append(message)

    def abort(self, message: AbortMsg) -> None:
        self.work.append(AbortBackendMsg(uid=message.uid))

    HANDLERS: ClassVar = {TokenizeMsg: tokenize, DetokenizeMsg: detokenize, AbortMsg: abort}


def serve_once(
    requests: Requests,
    to_scheduler: Outlet,
    to_frontend: Outlet,
    tokenizer: Tokenizer,
    limit: int,
) -> None:
    turn, taken = Turn(), 0
    while True:
        for single in unwrap(requests.get()):
            handler = Turn.HANDLERS.get(type(single))
            if handler is None:
                raise TypeError(f"what shall the tokenizer do with a {type(single).__qualname__}?")
            handler(turn, single)
            taken += 1
        if taken >= limit or requests.empty():
            break
    if turn.prompts:
        rows = tokenizer.tokenize([message.text for _, message in turn.prompts])
        for (place, message), row in zip(turn.prompts, rows, strict=True):
            ids = torch.as_tensor(row).to(torch.int32)
            turn.work[place] = UserMsg(message.uid, ids, message.sampling_params)
    match turn.work:
        case []:
            pass
        case [alone]:
            to_scheduler.put(alone)
        case several:
            to_scheduler.put(BatchBackendMsg(data=several))
    if turn.tokens:
        texts = tokenizer.detokenize([(m.uid, m.next_token) for m in turn.tokens])
        replies = [
            UserReply(m.uid, text, m.finished) for m, text in zip(turn.tokens, texts, strict=True)
        ]
        to_frontend.put(BatchFrontendMsg(replies) if replies[1:] else replies[0])
