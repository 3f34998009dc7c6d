"""Three groups of messages, each with a decoder that knows only its own.

Copy your `serialize_type` and `deserialize_type` of the exercise `serializer` to the top. Then make
every message a dataclass with the fields of the statement's table.
"""

from __future__ import annotations

from typing import Any

# --- to the tokenizer ---------------------------------------------------------------------------


class BaseTokenizerMsg:
    """What all messages to the tokenizer share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, lists and dicts."""
        raise NotImplementedError("encoder")

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseTokenizerMsg:
        """The message of this group that `encoder` turned into `data`. Refuse everything else."""
        raise NotImplementedError("decoder")


class BatchTokenizerMsg(BaseTokenizerMsg):
    """Several messages in one."""


class TokenizeMsg(BaseTokenizerMsg):
    """API server → tokenizer: a prompt."""


class DetokenizeMsg(BaseTokenizerMsg):
    """Scheduler → detokenizer: the next token of a request."""


class AbortMsg(BaseTokenizerMsg):
    """API server → tokenizer: nobody waits for this request any more."""


# --- to a scheduler -----------------------------------------------------------------------------


class BaseBackendMsg:
    """What all messages to a scheduler share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, lists and dicts."""
        raise NotImplementedError("encoder")

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseBackendMsg:
        """The message of this group that `encoder` turned into `data`. Refuse everything else."""
        raise NotImplementedError("decoder")


class BatchBackendMsg(BaseBackendMsg):
    """Several messages in one."""


class ExitMsg(BaseBackendMsg):
    """The scheduler shall end."""


class UserMsg(BaseBackendMsg):
    """Tokenizer → scheduler: a tokenized prompt."""


class AbortBackendMsg(BaseBackendMsg):
    """Tokenizer → scheduler: nobody waits for this request any more."""


# --- to the API server --------------------------------------------------------------------------


class BaseFrontendMsg:
    """What all messages to the API server share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, lists and dicts."""
        raise NotImplementedError("encoder")

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseFrontendMsg:
        """The message of this group that `encoder` turned into `data`. Refuse everything else."""
        raise NotImplementedError("decoder")


class BatchFrontendMsg(BaseFrontendMsg):
    """Several messages in one."""


class UserReply(BaseFrontendMsg):
    """Detokenizer → API server: the text that one more token adds to an answer."""
