# /// wrong
# fails = [
#     "test_abort_right_after_its_prompt",
#     "test_abort_stays_behind_its_prompt",
#     "test_all_that_is_there",
#     "test_any_mixture",
#     "test_batch_is_not_cut",
#     "test_batches_in_batches",
#     "test_chat",
#     "test_empty_batches",
#     "test_every_token_has_its_reply",
#     "test_limit",
#     "test_no_abort_is_left_out",
#     "test_one_call_per_turn",
#     "test_parameters_stay_with_their_prompt",
#     "test_replies_keep_their_order",
#     "test_reply_of_an_aborted_request",
#     "test_rest_is_not_lost",
#     "test_same_uid_again",
#     "test_turn_ends_when_nothing_is_there",
# ]
# en = """\
# Your turn takes one message and works on it. That is right, but slow: a tokenizer needs \
# hardly longer for ten prompts than for one, and the scheduler gets ten messages instead of \
# one batch. Take everything that is there already, up to the limit."""
# zh = """\
# 你的一轮只取一条消息就去处理。结果没错，但是慢：分词器处理十个提示词，并不比处理一个多花多少时\
# 间；而调度器收到的是十条消息，不是一个批次。把已经到达的都取走，直到上限为止。"""
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
    send(to_scheduler, work, BatchBackendMsg)
    send(to_frontend, replies, BatchFrontendMsg)


def send(queue: Outlet, messages: list[Any], batch: type) -> None:
    if len(messages) == 1:
        queue.put(messages[0])
    elif messages:
        queue.put(batch(messages))
