# Differs: a user's dict is marked by putting what stands under its "__type__" into a list, for no object
# has a list there. A reader object counts the levels, and bound arguments of the class check the fields.
import inspect
import math
from dataclasses import fields, is_dataclass

import msgpack
import torch

TYPE = "__type__"
PLAIN = (str, int, float, bool, bytes, type(None))
FAMILIES = {
    "bool": [""], "int": [8, 16, 32, 64], "uint": [8, 16, 32, 64], "bfloat": [16],
    "float": [16, 32, 64, "8_e4m3fn", "8_e4m3fnuz", "8_e5m2", "8_e5m2fnuz", "8_e8m0fnu"],
    "complex": [32, 64, 128],
}  # fmt: skip
KNOWN = {
    f"torch.{family}{end}": getattr(torch, f"{family}{end}", None)
    for family, ends in FAMILIES.items()
    for end in ends
}


def encode(message):
    return msgpack.packb(plain(message))


def plain(obj):
    match obj:
        case list() | tuple():
            return [plain(item) for item in obj]
        case dict():
            sent = {key: plain(value) for key, value in obj.items()}
            if TYPE in sent:
                sent[TYPE] = [sent[TYPE]]
            return sent
        case torch.Tensor():
            flat = torch.empty(obj.numel(), dtype=obj.dtype)
            flat.copy_(obj.detach().reshape(-1))
            raw = flat.view(torch.uint8).numpy().tobytes()
            return {TYPE: "Tensor", "shape": [*obj.shape], "dtype": str(obj.dtype), "buffer": raw}
        case _ if is_dataclass(obj):
            parts = {field.name: plain(getattr(obj, field.name)) for field in fields(obj)}
            return {TYPE: type(obj).__name__} | parts
    return obj


def short(value):
    text = repr(value) if isinstance(value, PLAIN) else type(value).__name__
    return text if len(text) < 80 else text[:77] + "..."


def decode(cls_map, raw):
    try:
        data = msgpack.unpackb(raw, strict_map_key=False)
    except Exception as error:
        raise ValueError(f"msgpack cannot read this: {type(error).__name__} {error}") from None
    message = Reader(cls_map).read(data)
    if isinstance(message, (*PLAIN, list, dict, torch.Tensor)):
        raise ValueError(f"not a message: {short(message)}")
    return message


class Reader:
    """Reads one message and refuses what no sender writes."""

    def __init__(self, cls_map):
        self.cls_map, self.level = cls_map, 0

    def refuse_unless(self, condition, text):
        if not condition:
            raise ValueError(text)

    def read(self, data):
        self.refuse_unless(self.level < 150, "too many levels")
        self.level += 1
        try:
            if isinstance(data, list):
                return [self.read(item) for item in data]
            if isinstance(data, dict):
                return self.read_dict(data)
            self.refuse_unless(type(data) in PLAIN, f"a {type(data).__name__}")
            return data
        finally:
            self.level -= 1

    def read_dict(self, data):
        for key in data:
            self.refuse_unless(type(key) in PLAIN, f"a key of type {type(key).__name__}")
        kind = data.get(TYPE)
        if TYPE not in data:
            return {key: self.read(value) for key, value in data.items()}
        if isinstance(kind, list):
            self.refuse_unless(len(kind) == 1, "a list of types")
            return {k: self.read(v[0] if k == TYPE else v) for k, v in data.items()}
        self.refuse_unless(isinstance(kind, str), f"a type that is {short(kind)}")
        parts = {key: value for key, value in data.items() if key != TYPE}
        if kind == "Tensor":
            return self.read_tensor(**self.bound(self.read_tensor, kind, parts))
        cls = self.cls_map.get(kind)
        known = isinstance(cls, type) and is_dataclass(cls)
        self.refuse_unless(known, f"unknown type {short(kind)}")
        parts = self.bound(cls, kind, parts)
        return cls(**{key: self.read(value) for key, value in parts.items()})

    def bound(self, function, kind, parts):
        names = inspect.signature(function).parameters
        odd = [key for key in parts if key not in names]
        self.refuse_unless(not odd, f"{kind} has no {short(odd[0]) if odd else ''}")
        try:
            return inspect.signature(function).bind(**parts).arguments
        except TypeError as error:
            raise ValueError(f"{kind}: {error}") from None

    def read_tensor(self, shape, dtype, buffer):
        known = KNOWN.get(dtype) if isinstance(dtype, str) else None
        self.refuse_unless(known is not None, f"unknown dtype {short(dtype)}")
        self.refuse_unless(isinstance(buffer, bytes), "a buffer that is no bytes")
        self.refuse_unless(isinstance(shape, list) and len(shape) <= 64, "no shape, or a long one")
        for size in shape:
            self.refuse_unless(type(size) is int and 0 <= size < 2**63, f"a size {short(size)}")
        fits = math.prod(shape) * known.itemsize == len(buffer)
        self.refuse_unless(fits, f"{len(buffer)} bytes for {short(str(shape))}")
        if known is torch.bool:
            self.refuse_unless(not buffer.strip(b"\x00\x01"), "a truth value that is none")
        if not buffer:
            return torch.empty(0, dtype=known).reshape(shape)
        return torch.frombuffer(bytearray(buffer), dtype=known).reshape(shape)
