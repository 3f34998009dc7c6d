# /// wrong
# fails = [
#     "test_abort_right_after_its_prompt",
#     "test_abort_stays_behind_its_prompt",
#     "test_all_prompts_in_one_call",
#     "test_batch_is_not_cut",
#     "test_batches_in_batches",
#     "test_chat",
#     "test_empty_batches",
#     "test_end_without_text",
#     "test_every_token_has_its_reply",
#     "test_limit",
#     "test_no_abort_is_left_out",
#     "test_nobody_waits_for_more",
#     "test_only_aborts",
#     "test_parameters_stay_with_their_prompt",
#     "test_prompt",
#     "test_replies_keep_their_order",
#     "test_reply_of_an_aborted_request",
#     "test_rest_is_not_lost",
#     "test_same_uid_again",
#     "test_token",
#     "test_turn_ends_when_nothing_is_there",
#     "test_waits_asleep",
# ]
# en = """\
# You call the tokenizer even when the turn has nothing for it. Many tokenizers break on an \
# empty list, for example when they pad all prompts to the longest of them. A turn with aborts \
# only is quite usual."""
# zh = """\
# 这一轮没有要处理的内容，你也调用分词器。许多分词器遇到空列表会出错，例如它们要把所有提示词补齐\
# 到最长的那一个。只有中止的一轮是很常见的。"""
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
    ids = tokenizer.tokenize(prompts)
    texts = tokenizer.detokenize(tokens)

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
