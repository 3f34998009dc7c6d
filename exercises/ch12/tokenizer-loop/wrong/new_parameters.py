# /// wrong
# fails = ["test_any_mixture", "test_parameters_stay_with_their_prompt", "test_prompt"]
# en = """\
# You make new `SamplingParams`. The client has asked for a temperature and a length, and now gets \
# the defaults; nothing breaks, only the answers are others. The object in the message is the one \
# that the scheduler needs."""
# zh = """\
# 你新建了一个 `SamplingParams`。客户端要求了温度和长度，得到的却是默认值；什么也不报错，只是回答变\
# 了样。调度器需要的，就是消息里的那个对象。"""
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
            work.append(UserMsg(message.uid, input_ids, SamplingParams()))
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
