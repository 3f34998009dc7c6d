"""Messages that the frontend, the API server, receives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .utils import deserialize_type, serialize_type


class BaseFrontendMsg:
    """What all messages to the frontend share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, ready for msgpack."""
        return serialize_type(self)

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseFrontendMsg:
        """The message that `encoder` turned into `data`; ValueError for anything else."""
        message = deserialize_type(_TYPES, data)
        if not isinstance(message, BaseFrontendMsg):
            raise ValueError(f"a {type(message).__name__} is no message to the frontend")
        return message


@dataclass
class BatchFrontendMsg(BaseFrontendMsg):
    """Several messages in one."""

    data: list[BaseFrontendMsg]


@dataclass
class UserReply(BaseFrontendMsg):
    """Detokenizer → API server: the text that one more token adds to an answer."""

    uid: int
    incremental_output: str
    finished: bool


# Everything a decoder may build. A name that is not listed is refused, so a receiver never makes
# an object of another group, and never calls whatever else this module happens to contain.
_TYPES = {cls.__name__: cls for cls in (BatchFrontendMsg, UserReply)}
