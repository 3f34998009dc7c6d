"""What the tests of the reference layer share: the golden message, a round trip, exact equality."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import msgpack
import torch
from hypothesis import settings
from minisgl import message
from minisgl.core import SamplingParams
from minisgl.message.utils import deserialize_type, serialize_type

REFERENCE = Path(__file__).resolve().parent.parent / "reference"

GOLDEN = bytes.fromhex(
    "82a85f5f747970655f5faf42617463684261636b656e644d7367a4646174619184a85f5f747970655f5fa75573"
    "65724d7367a375696407a9696e7075745f69647383a85f5f747970655f5fa654656e736f72a6627566666572c4"
    "0ceb2500000b00000057070000a56474797065ab746f7263682e696e743332af73616d706c696e675f70617261"
    "6d7386a85f5f747970655f5fae53616d706c696e67506172616d73ab74656d7065726174757265cb3fe3333333"
    "333333a5746f705f6bffa5746f705f70cb3ff0000000000000aa69676e6f72655f656f73c2aa6d61785f746f6b"
    "656e7340"
)

MESSAGES = {
    "BatchTokenizerMsg": (message.BaseTokenizerMsg, ["data"]),
    "TokenizeMsg": (message.BaseTokenizerMsg, ["uid", "text", "sampling_params"]),
    "DetokenizeMsg": (message.BaseTokenizerMsg, ["uid", "next_token", "finished"]),
    "AbortMsg": (message.BaseTokenizerMsg, ["uid"]),
    "BatchBackendMsg": (message.BaseBackendMsg, ["data"]),
    "ExitMsg": (message.BaseBackendMsg, []),
    "UserMsg": (message.BaseBackendMsg, ["uid", "input_ids", "sampling_params"]),
    "AbortBackendMsg": (message.BaseBackendMsg, ["uid"]),
    "BatchFrontendMsg": (message.BaseFrontendMsg, ["data"]),
    "UserReply": (message.BaseFrontendMsg, ["uid", "incremental_output", "finished"]),
}
BASES = (message.BaseTokenizerMsg, message.BaseBackendMsg, message.BaseFrontendMsg)

laws = settings(deadline=None, max_examples=150, database=None)


def golden_message() -> message.BatchBackendMsg:
    input_ids = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    params = SamplingParams(temperature=0.6, max_tokens=64)
    return message.BatchBackendMsg([message.UserMsg(7, input_ids, params)])


def pack(obj: Any) -> bytes:
    return msgpack.packb(serialize_type(obj), use_bin_type=True)


def unpack(raw: bytes) -> Any:
    return msgpack.unpackb(raw, raw=False, strict_map_key=False)


def round_trip(obj: Any, *classes: type) -> Any:
    return deserialize_type({cls.__name__: cls for cls in classes}, unpack(pack(obj)))


def same(a: Any, b: Any) -> bool:
    """Equal in type and value all the way down; tensors bit by bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, torch.Tensor):
        return (a.dtype, a.shape) == (b.dtype, b.shape) and bits(a) == bits(b)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same([*map(list, a.items())], [*map(list, b.items())])
    if dataclasses.is_dataclass(a):
        return same(vars(a), vars(b))
    return repr(a) == repr(b)  # NaN is NaN, and -0.0 is not 0.0


def bits(tensor: torch.Tensor) -> list[int]:
    return tensor.clone(memory_format=torch.contiguous_format).view(torch.uint8).tolist()
