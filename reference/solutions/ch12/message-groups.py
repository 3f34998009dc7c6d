"""Three groups of messages, each with a decoder that knows only its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import torch
from minisgl.core import SamplingParams

# --- as in the exercise `serializer`, as far as these messages need it ---------------------------


def serialize_type(obj: Any) -> Any:
    """Turn a message into primitives, lists and dicts."""
    if isinstance(obj, list):
        return [serialize_type(item) for item in obj]
    if isinstance(obj, torch.Tensor):
        return {"__type__": "Tensor", "buffer": obj.numpy().tobytes(), "dtype": str(obj.dtype)}
    if is_dataclass(obj):
        values = {field.name: serialize_type(getattr(obj, field.name)) for field in fields(obj)}
        return {"__type__": type(obj).__name__, **values}
    return obj


def deserialize_type(cls_map: Mapping[str, type], data: Any) -> Any:
    """The reverse of `serialize_type`. ValueError for a name that is not in `cls_map`."""
    if isinstance(data, list):
        return [deserialize_type(cls_map, item) for item in data]
    if not isinstance(data, dict) or "__type__" not in data:
        return data
    values = {key: deserialize_type(cls_map, value) for key, value in data.items()}
    name = values.pop("__type__")
    if name == "Tensor":
        dtype = getattr(torch, values["dtype"].removeprefix("torch."))
        # `torch.tensor` copies, so the result owns memory that it may write to.
        return torch.tensor(np.frombuffer(values["buffer"], np.uint8)).view(dtype)
    cls = cls_map.get(name)
    if cls is None:
        raise ValueError(f"unknown type {name!r}")
    return cls(**values)


def _message(base: type, cls_map: Mapping[str, type], data: Any) -> Any:
    """The message of the group `base` in `data`; `cls_map` is all that its decoder may build."""
    message = deserialize_type(cls_map, data)
    # What is left to refuse: data that names no type at all, tensors, parameters without a message.
    if not isinstance(message, base):
        raise ValueError(f"a {type(message).__name__} is no message of the group {base.__name__}")
    return message


# --- to the tokenizer ---------------------------------------------------------------------------


class BaseTokenizerMsg:
    """What all messages to the tokenizer share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, lists and dicts."""
        return serialize_type(self)

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseTokenizerMsg:
        """The message in `data`; ValueError for another group's and for what is no message."""
        return _message(BaseTokenizerMsg, _TO_TOKENIZER, data)


@dataclass
class BatchTokenizerMsg(BaseTokenizerMsg):
    data: list[BaseTokenizerMsg]


@dataclass
class TokenizeMsg(BaseTokenizerMsg):
    uid: int
    text: str | list[dict[str, str]]
    sampling_params: SamplingParams


@dataclass
class DetokenizeMsg(BaseTokenizerMsg):
    uid: int
    next_token: int
    finished: bool


@dataclass
class AbortMsg(BaseTokenizerMsg):
    uid: int


# --- to a scheduler -----------------------------------------------------------------------------


class BaseBackendMsg:
    """What all messages to a scheduler share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, lists and dicts."""
        return serialize_type(self)

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseBackendMsg:
        """The message in `data`; ValueError for another group's and for what is no message."""
        return _message(BaseBackendMsg, _TO_SCHEDULER, data)


@dataclass
class BatchBackendMsg(BaseBackendMsg):
    data: list[BaseBackendMsg]


@dataclass
class ExitMsg(BaseBackendMsg):
    pass


@dataclass
class UserMsg(BaseBackendMsg):
    uid: int
    input_ids: torch.Tensor
    sampling_params: SamplingParams


@dataclass
class AbortBackendMsg(BaseBackendMsg):
    uid: int


# --- to the API server --------------------------------------------------------------------------


class BaseFrontendMsg:
    """What all messages to the API server share: the way to a dict and back."""

    def encoder(self) -> dict[str, Any]:
        """The message as a dict of primitives, lists and dicts."""
        return serialize_type(self)

    @staticmethod
    def decoder(data: dict[str, Any]) -> BaseFrontendMsg:
        """The message in `data`; ValueError for another group's and for what is no message."""
        return _message(BaseFrontendMsg, _TO_FRONTEND, data)


@dataclass
class BatchFrontendMsg(BaseFrontendMsg):
    data: list[BaseFrontendMsg]


@dataclass
class UserReply(BaseFrontendMsg):
    uid: int
    incremental_output: str
    finished: bool


# --- who may build what -------------------------------------------------------------------------


def _by_name(*classes: type) -> dict[str, type]:
    return {cls.__name__: cls for cls in classes}


# Written down, and not `globals()`: that would be the messages of all three groups, the base classes,
# and everything that this file imports.
_TO_TOKENIZER = _by_name(BatchTokenizerMsg, TokenizeMsg, DetokenizeMsg, AbortMsg, SamplingParams)
_TO_SCHEDULER = _by_name(BatchBackendMsg, ExitMsg, UserMsg, AbortBackendMsg, SamplingParams)
_TO_FRONTEND = _by_name(BatchFrontendMsg, UserReply)
