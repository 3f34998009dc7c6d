"""Messages that a scheduler receives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from minisgl.core import SamplingParams

from .utils import deserialize_type, serialize_type


class BaseBackendMsg:
    """What all messages to a scheduler share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, ready for msgpack."""
        return serialize_type(self)

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseBackendMsg:
        """The message that `encoder` turned into `data`; ValueError for anything else."""
        message = deserialize_type(_TYPES, data)
        if not isinstance(message, BaseBackendMsg):
            raise ValueError(f"a {type(message).__name__} is no message to a scheduler")
        return message


@dataclass
class BatchBackendMsg(BaseBackendMsg):
    """Several messages in one."""

    data: list[BaseBackendMsg]


@dataclass
class ExitMsg(BaseBackendMsg):
    """The scheduler shall end."""


@dataclass
class UserMsg(BaseBackendMsg):
    """Tokenizer → scheduler: a tokenized prompt.

    `input_ids` is a one-dimensional int32 tensor on the CPU, of shape [number of tokens].
    """

    uid: int
    input_ids: torch.Tensor
    sampling_params: SamplingParams


@dataclass
class AbortBackendMsg(BaseBackendMsg):
    """Tokenizer → scheduler: nobody waits for this request any more."""

    uid: int


# Everything a decoder may build. A name that is not listed is refused, so a receiver never makes
# an object of another group, and never calls whatever else this module happens to contain.
_TYPES = {
    cls.__name__: cls
    for cls in (BatchBackendMsg, ExitMsg, UserMsg, AbortBackendMsg, SamplingParams)
}
