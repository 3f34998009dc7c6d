# /// wrong
# fails = [
#     "test_any_mixture",
#     "test_every_token_has_its_reply",
#     "test_one_call_per_turn",
#     "test_replies_keep_their_order",
#     "test_reply_of_an_aborted_request",
# ]
# en = """\
# You keep one text for each uid. But a uid may have several tokens in a turn, and the number of \
# replies is not yours to change: each token has its own, with its own text and its own `finished`, \
# and the API server may count them."""
# zh = """\
# 每个 uid 你只留一段文本。可是同一个 uid 在一轮里可能有好几个 token，有多少条回复也不由你决定：\
# 每个 token 各有一条，带着自己的文本和自己的 `finished`，API 服务器可能会数它们。"""
# ///
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


def unwrap(message: Any) -> list[Any]:
    if not isinstance(message, BatchTokenizerMsg):
        return [message]
    singles = []
    for part in message.data:
        singles.extend(unwrap(part))
    return singles


def serve_once(
    requests: Requests,
    to_scheduler: Outlet,
    to_frontend: Outlet,
    tokenizer: Tokenizer,
    limit: int,
) -> None:
    messages = unwrap(requests.get())
    while len(messages) < limit and not requests.empty():
        messages.extend(unwrap(requests.get()))

    prompts, tokens = [], []
    for message in messages:
        if isinstance(message, TokenizeMsg):
            prompts.append(message.text)
        elif isinstance(message, DetokenizeMsg):
            tokens.append((message.uid, message.next_token))
        elif not isinstance(message, AbortMsg):
            raise TypeError(f"{type(message).__name__} is no message to the tokenizer")
    ids = tokenizer.tokenize(prompts) if prompts else []
    texts = tokenizer.detokenize(tokens) if tokens else []

    work, replies = [], []
    for message in messages:
        if isinstance(message, TokenizeMsg):
            input_ids = torch.tensor(ids.pop(0), dtype=torch.int32)
            work.append(UserMsg(message.uid, input_ids, message.sampling_params))
        elif isinstance(message, AbortMsg):
            work.append(AbortBackendMsg(message.uid))
        else:
            replies.append(UserReply(message.uid, texts.pop(0), message.finished))
    joined: dict[int, UserReply] = {}
    for reply in replies:
        known = joined.setdefault(reply.uid, reply)
        if known is not reply:
            known.incremental_output += reply.incremental_output
            known.finished = reply.finished
    replies = list(joined.values())
    send(to_scheduler, work, BatchBackendMsg)
    send(to_frontend, replies, BatchFrontendMsg)


def send(queue: Outlet, messages: list[Any], batch: type) -> None:
    if len(messages) == 1:
        queue.put(messages[0])
    elif messages:
        queue.put(batch(messages))
