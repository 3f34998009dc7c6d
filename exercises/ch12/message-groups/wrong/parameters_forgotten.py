# /// wrong
# fails = [
#     "test_message_comes_back",
#     "test_bytes_of_a_whole_message",
#     "test_messages_to_the_tokenizer",
#     "test_messages_to_a_scheduler",
#     "test_chat",
#     "test_empty_prompt",
# ]
# en = """\
# A `TokenizeMsg` and a `UserMsg` carry a `SamplingParams`, which is a dataclass too. It is no \
# message, but the decoder has to know it, or it cannot build the field."""
# zh = """\
# `TokenizeMsg` 和 `UserMsg` 里带着 `SamplingParams`，它也是数据类。它虽然不是消息，解码器却必须\
# 认识它，否则这个字段造不出来。"""
# ///
from dataclasses import dataclass, fields, is_dataclass

import numpy as np
import torch
from minisgl.core import SamplingParams


def serialize_type(obj):
    if obj is None or isinstance(obj, (bool, int, float, str, bytes)):
        return obj
    if isinstance(obj, (list, tuple)):
        return [serialize_type(item) for item in obj]
    if isinstance(obj, dict):
        return {key: serialize_type(value) for key, value in obj.items()}
    if isinstance(obj, torch.Tensor):
        return {"__type__": "Tensor", "buffer": obj.numpy().tobytes(), "dtype": str(obj.dtype)}
    if is_dataclass(obj):
        data = {"__type__": type(obj).__name__}
        for field in fields(obj):
            data[field.name] = serialize_type(getattr(obj, field.name))
        return data
    raise TypeError(f"cannot send a value of type {type(obj).__name__}")


def deserialize_type(cls_map, data):
    if isinstance(data, list):
        return [deserialize_type(cls_map, item) for item in data]
    if not isinstance(data, dict):
        return data
    if "__type__" not in data:
        return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    name = data["__type__"]
    if name == "Tensor":
        dtype = getattr(torch, data["dtype"].removeprefix("torch."))
        return torch.tensor(np.frombuffer(data["buffer"], np.uint8)).view(dtype)
    if name not in cls_map:
        raise ValueError(f"unknown type {name!r}")
    values = {k: deserialize_type(cls_map, v) for k, v in data.items() if k != "__type__"}
    return cls_map[name](**values)


class BaseTokenizerMsg:
    def encoder(self):
        return serialize_type(self)

    @staticmethod
    def decoder(data):
        message = deserialize_type(TO_TOKENIZER, data)
        if not isinstance(message, BaseTokenizerMsg):
            raise ValueError(f"{message!r} is no message to the tokenizer")
        return message


@dataclass
class BatchTokenizerMsg(BaseTokenizerMsg):
    data: list


@dataclass
class TokenizeMsg(BaseTokenizerMsg):
    uid: int
    text: str | list
    sampling_params: SamplingParams


@dataclass
class DetokenizeMsg(BaseTokenizerMsg):
    uid: int
    next_token: int
    finished: bool


@dataclass
class AbortMsg(BaseTokenizerMsg):
    uid: int


class BaseBackendMsg:
    def encoder(self):
        return serialize_type(self)

    @staticmethod
    def decoder(data):
        message = deserialize_type(TO_SCHEDULER, data)
        if not isinstance(message, BaseBackendMsg):
            raise ValueError(f"{message!r} is no message to a scheduler")
        return message


@dataclass
class BatchBackendMsg(BaseBackendMsg):
    data: list


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


class BaseFrontendMsg:
    def encoder(self):
        return serialize_type(self)

    @staticmethod
    def decoder(data):
        message = deserialize_type(TO_FRONTEND, data)
        if not isinstance(message, BaseFrontendMsg):
            raise ValueError(f"{message!r} is no message to the API server")
        return message


@dataclass
class BatchFrontendMsg(BaseFrontendMsg):
    data: list


@dataclass
class UserReply(BaseFrontendMsg):
    uid: int
    incremental_output: str
    finished: bool


def by_name(*classes):
    return {cls.__name__: cls for cls in classes}


TO_TOKENIZER = by_name(BatchTokenizerMsg, TokenizeMsg, DetokenizeMsg, AbortMsg)
TO_SCHEDULER = by_name(BatchBackendMsg, ExitMsg, UserMsg, AbortBackendMsg)
TO_FRONTEND = by_name(BatchFrontendMsg, UserReply)
