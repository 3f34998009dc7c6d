# /// wrong
# fails = ["test_base_is_no_message"]
# en = """\
# `issubclass(cls, base)` is true for the base class itself, too. So it stands in the dict of its \
# group, and whoever sends its name gets an object that is no message. A check of the outermost \
# object does not help: inside a batch nobody looks. Leave the base class out of the dict."""
# zh = """\
# 对基类自己，`issubclass(cls, base)` 也成立。于是它也进了本组的字典，谁发来它的名字，就会造出一个\
# 不是消息的对象。只检查最外层没有用：批量消息里面没人看。字典里不要放基类。"""
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
        if isinstance(cls, type) and issubclass(cls, base)
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
        message = deserialize_type(group_of(BaseBackendMsg, parameters=True), data)
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
        message = deserialize_type(group_of(BaseFrontendMsg), data)
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
