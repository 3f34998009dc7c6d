# Differs: one common class does it all. A group is whoever inherits from it directly, and each message
# enters itself in its group's dict as it is defined. `decoder` is a class method and finds that dict.
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar

import torch
from minisgl.core import SamplingParams


def serialize_type(obj):
    match obj:
        case list() | tuple():
            return [serialize_type(item) for item in obj]
        case dict():
            return {key: serialize_type(value) for key, value in obj.items()}
        case torch.Tensor():
            return {"__type__": "Tensor", "buffer": bytes(obj.numpy()), "dtype": str(obj.dtype)}
        case _ if is_dataclass(obj):
            data = {"__type__": type(obj).__name__}
            data.update((f.name, serialize_type(getattr(obj, f.name))) for f in fields(obj))
            return data
    return obj


def deserialize_type(cls_map, data):
    match data:
        case list():
            return [deserialize_type(cls_map, item) for item in data]
        case {"__type__": "Tensor", "buffer": buffer, "dtype": name}:
            dtype = getattr(torch, name.split(".")[1])
            if not buffer:
                return torch.zeros(0, dtype=dtype)
            return torch.frombuffer(bytearray(buffer), dtype=dtype)
        case {"__type__": name, **rest}:
            cls = cls_map[name]
            return cls(**{key: deserialize_type(cls_map, value) for key, value in rest.items()})
        case dict():
            return {key: deserialize_type(cls_map, value) for key, value in data.items()}
    return data


class _Group:
    _types: ClassVar[dict[str, type]]
    _base: ClassVar[type]

    def __init_subclass__(cls, parameters: bool = False) -> None:
        if _Group in cls.__bases__:
            cls._base = cls
            cls._types = {"SamplingParams": SamplingParams} if parameters else {}
        else:
            cls._types[cls.__name__] = cls

    def encoder(self) -> dict[str, Any]:
        return serialize_type(self)

    @classmethod
    def decoder(cls, data: Any) -> Any:
        message = deserialize_type(cls._types, data)
        if isinstance(message, cls._base):
            return message
        raise TypeError(f"not a message of {cls._base.__name__}: {type(message).__name__}")


class BaseTokenizerMsg(_Group, parameters=True):
    pass


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


class BaseBackendMsg(_Group, parameters=True):
    pass


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


class BaseFrontendMsg(_Group):
    pass


@dataclass
class BatchFrontendMsg(BaseFrontendMsg):
    data: list[BaseFrontendMsg]


@dataclass
class UserReply(BaseFrontendMsg):
    uid: int
    incremental_output: str
    finished: bool
