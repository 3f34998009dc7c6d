# Differs: no dict is written down. A decoder asks its base class for its subclasses whenever it is
# called. The messages are made with `make_dataclass`.
from dataclasses import asdict, fields, is_dataclass, make_dataclass

import numpy as np
import torch
from minisgl.core import SamplingParams


def serialize_type(obj):
    if isinstance(obj, SamplingParams):
        return {"__type__": "SamplingParams", **asdict(obj)}
    if is_dataclass(obj):
        names = [field.name for field in fields(obj)]
        values = [serialize_type(getattr(obj, name)) for name in names]
        return dict(zip(["__type__", *names], [type(obj).__name__, *values], strict=True))
    if isinstance(obj, torch.Tensor):
        raw = obj.contiguous().view(torch.uint8).numpy().tobytes()
        return {"__type__": "Tensor", "buffer": raw, "dtype": str(obj.dtype)}
    return list(map(serialize_type, obj)) if isinstance(obj, list) else obj


class Unknown(KeyError):
    pass


def build(classes, data):
    if isinstance(data, list):
        return [build(classes, item) for item in data]
    if not (isinstance(data, dict) and "__type__" in data):
        return data
    rest = {key: build(classes, value) for key, value in data.items()}
    name = rest.pop("__type__")
    if name == "Tensor":
        return torch.from_numpy(np.frombuffer(rest["buffer"], dtype=rest["dtype"][6:]).copy())
    for cls in classes:
        if cls.__name__ == name:
            return cls(**rest)
    raise Unknown(name)


def decode_as(base, *more):
    def decoder(data):
        message = build([*base.__subclasses__(), *more], data)
        if type(message) not in base.__subclasses__():
            raise ValueError(f"no message of the group {base.__name__}")
        return message

    return staticmethod(decoder)


class _Encodes:
    encoder = serialize_type


class BaseTokenizerMsg(_Encodes):
    pass


class BaseBackendMsg(_Encodes):
    pass


class BaseFrontendMsg(_Encodes):
    pass


BaseTokenizerMsg.decoder = decode_as(BaseTokenizerMsg, SamplingParams)
BaseBackendMsg.decoder = decode_as(BaseBackendMsg, SamplingParams)
BaseFrontendMsg.decoder = decode_as(BaseFrontendMsg)


def _message(base, name, names=""):
    return make_dataclass(name, names.split(), bases=(base,))


BatchTokenizerMsg = _message(BaseTokenizerMsg, "BatchTokenizerMsg", "data")
TokenizeMsg = _message(BaseTokenizerMsg, "TokenizeMsg", "uid text sampling_params")
DetokenizeMsg = _message(BaseTokenizerMsg, "DetokenizeMsg", "uid next_token finished")
AbortMsg = _message(BaseTokenizerMsg, "AbortMsg", "uid")
BatchBackendMsg = _message(BaseBackendMsg, "BatchBackendMsg", "data")
ExitMsg = _message(BaseBackendMsg, "ExitMsg")
UserMsg = _message(BaseBackendMsg, "UserMsg", "uid input_ids sampling_params")
AbortBackendMsg = _message(BaseBackendMsg, "AbortBackendMsg", "uid")
BatchFrontendMsg = _message(BaseFrontendMsg, "BatchFrontendMsg", "data")
UserReply = _message(BaseFrontendMsg, "UserReply", "uid incremental_output finished")
