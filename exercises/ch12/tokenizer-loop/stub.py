"""One turn of the tokenizer's loop: take what is there, work through it at once, pass it on in order."""

from __future__ import annotations

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


# --- yours ---


def unwrap(message: Any) -> list[Any]:
    """The single messages in `message`, which may be a batch, in order."""
    raise NotImplementedError


def serve_once(
    requests: Requests,
    to_scheduler: Outlet,
    to_frontend: Outlet,
    tokenizer: Tokenizer,
    limit: int,
) -> None:
    """Wait for a message, take what else is there, work through it, and send the results.

    TypeError, which names the class, for what is no message to the tokenizer.
    """
    raise NotImplementedError
