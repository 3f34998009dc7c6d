# /// wrong
# fails = ["test_messages_are_dataclasses"]
# en = """\
# With `eq=False` two messages are equal only if they are one and the same object. Then nobody can \
# compare what arrived with what was sent. A plain `@dataclass` compares the fields."""
# zh = """\
# 写了 `eq=False`，只有同一个对象才和自己相等。这样一来，谁也没法拿收到的和发出的作比较。普通的 \
# `@dataclass` 比较的是各个字段。"""
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


def group_of(base, parameters=False):
    group = {
        name: cls
        for name, cls in globals().items()
        if isinstance(cls, type) and issubclass(cls, base) and cls is not base
    }
    return {**group, "SamplingParams": SamplingParams} if parameters else group


class BaseTokenizerMsg:
    def encoder(self):
        return serialize_type(self)

    @staticmethod
    def decoder(data):
        message = deserialize_type(group_of(BaseTokenizerMsg, parameters=True), data)
        if not isinstance(message, BaseTokenizerMsg):
            raise ValueError(f"{message!r} is no message to the tokenizer")
        return message


@dataclass(eq=False)
class BatchTokenizerMsg(BaseTokenizerMsg):
    data: list


@dataclass(eq=False)
class TokenizeMsg(BaseTokenizerMsg):
    uid: int
    text: str | list
    sampling_params: SamplingParams


@dataclass(eq=False)
class DetokenizeMsg(BaseTokenizerMsg):
    uid: int
    next_token: int
    finished: bool


@dataclass(eq=False)
class AbortMsg(BaseTokenizerMsg):
    uid: int


class BaseBackendMsg:
    def encoder(self):
        return serialize_type(self)

    @staticmethod
    def decoder(data):
        message = deserialize_type(group_of(BaseBackendMsg, parameters=True), data)
        if not isinstance(message, BaseBackendMsg):
            raise ValueError(f"{message!r} is no message to a scheduler")
        return message


@dataclass(eq=False)
class BatchBackendMsg(BaseBackendMsg):
    data: list


@dataclass(eq=False)
class ExitMsg(BaseBackendMsg):
    pass


@dataclass(eq=False)
class UserMsg(BaseBackendMsg):
    uid: int
    input_ids: torch.Tensor
    sampling_params: SamplingParams


@dataclass(eq=False)
class AbortBackendMsg(BaseBackendMsg):
    uid: int


class BaseFrontendMsg:
    def encoder(self):
        return serialize_type(self)

    @staticmethod
    def decoder(data):
        message = deserialize_type(group_of(BaseFrontendMsg), data)
        if not isinstance(message, BaseFrontendMsg):
            raise ValueError(f"{message!r} is no message to the API server")
        return message


@dataclass(eq=False)
class BatchFrontendMsg(BaseFrontendMsg):
    data: list


@dataclass(eq=False)
class UserReply(BaseFrontendMsg):
    uid: int
    incremental_output: str
    finished: bool
