# /// wrong
# fails = [
#     "test_other_group_is_refused",
#     "test_messages_of_other_groups",
#     "test_other_groups_in_a_batch",
#     "test_base_is_no_message",
#     "test_names_of_other_things",
#     "test_parameters_alone",
#     "test_parameters_for_the_api_server",
#     "test_no_message_at_all",
#     "test_after_a_refusal",
# ]
# en = """\
# Your decoders look names up in `globals()`. There stand the messages of all three groups, \
# the base classes, and everything that the file imports, and all of it can be built by \
# whoever knows the name. Give each decoder a dict of its own."""
# zh = """\
# 你的解码器在 `globals()` 里查名字。那里有三组消息、各个基类，还有文件导入的一切，谁知道名字谁\
# 就能让你造出来。请给每个解码器一个自己的字典。"""
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
        return deserialize_type(globals(), data)


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
        return deserialize_type(globals(), data)


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
        return deserialize_type(globals(), data)


@dataclass
class BatchFrontendMsg(BaseFrontendMsg):
    data: list


@dataclass
class UserReply(BaseFrontendMsg):
    uid: int
    incremental_output: str
    finished: bool
