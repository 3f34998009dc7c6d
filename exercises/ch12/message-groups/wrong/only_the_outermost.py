# /// wrong
# fails = [
#     "test_other_groups_in_a_batch",
#     "test_parameters_for_the_api_server",
# ]
# en = """\
# Your decoder checks the group of the outermost message only. A batch of the right group may \
# carry messages of another one, and they are built without a question. Let the dict of \
# classes decide: it counts at every depth."""
# zh = """\
# 你的解码器只检查最外层的消息属于哪一组。批量消息是对的，里面却可以夹带别的组的消息，照样造了出\
# 来。应该由类的字典来决定：它在每一层都起作用。"""
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
        message = deserialize_type(ALL, data)
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
        message = deserialize_type(ALL, data)
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
        message = deserialize_type(ALL, data)
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


ALL = by_name(
    BatchTokenizerMsg, TokenizeMsg, DetokenizeMsg, AbortMsg,
    BatchBackendMsg, ExitMsg, UserMsg, AbortBackendMsg,
    BatchFrontendMsg, UserReply, SamplingParams,
)  # fmt: skip
