"""Messages that the tokenizer and detokenizer receive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from minisgl.core import SamplingParams

from .utils import deserialize_type, serialize_type


class BaseTokenizerMsg:
    """What all messages to the tokenizer share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, ready for msgpack."""
        return serialize_type(self)

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseTokenizerMsg:
        """The message that `encoder` turned into `data`; ValueError for anything else."""
        message = deserialize_type(_TYPES, data)
        if not isinstance(message, BaseTokenizerMsg):
            raise ValueError(f"a {type(message).__name__} is no message to the tokenizer")
        return message


@dataclass
class BatchTokenizerMsg(BaseTokenizerMsg):
    """Several messages in one."""

    data: list[BaseTokenizerMsg]


@dataclass
class TokenizeMsg(BaseTokenizerMsg):
    """API server → tokenizer: a prompt, as plain text or as a chat.

    A chat is a list of dicts `{"role": …, "content": …}`.
    """

    uid: int
    text: str | list[dict[str, str]]
    sampling_params: SamplingParams


@dataclass
class DetokenizeMsg(BaseTokenizerMsg):
    """Scheduler → detokenizer: the next token of a request, and whether it is the last."""

    uid: int
    next_token: int
    finished: bool


@dataclass
class AbortMsg(BaseTokenizerMsg):
    """API server → tokenizer: nobody waits for this request any more."""

    uid: int


# Everything a decoder may build. A name that is not listed is refused, so a receiver never makes
# an object of another group, and never calls whatever else this module happens to contain.
_TYPES = {
    cls.__name__: cls
    for cls in (BatchTokenizerMsg, TokenizeMsg, DetokenizeMsg, AbortMsg, SamplingParams)
}
