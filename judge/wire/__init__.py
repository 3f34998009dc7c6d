"""Values across the boundary between examiner and examinee: by value, exact types, hard limits; no pickle.

A frame is an 8-byte header (two little-endian uint32: bytes of structure, bytes of attachments), the
structure (msgpack: `[tree, attachment sizes]`) and the attachments, one after the other. Scalars stand
in the tree as they are; everything else is a list that starts with a tag. Long strings, bytes and
tensors are attachments. The structure is capped at half a mebibyte because one of its bytes can become
a 64-byte object before anybody looks at it: the cap bounds what a hostile frame can cost.

This room knows nothing of tests or learners, and never builds an object by calling its class.
"""

from judge.wire.decoder import Decoder, ResolveClass
from judge.wire.encoder import Encoder
from judge.wire.frames import HEADER, FrameReader
from judge.wire.limits import (
    MAX_ATTACHMENTS,
    MAX_DEPTH,
    MAX_NODES,
    MAX_ODD_KEYS,
    MAX_STRUCTURE,
)
from judge.wire.plain import (
    DTYPES,
    ForeignType,
    NotPlainData,
    Record,
    WireError,
    field_names,
    is_record_type,
    tensor_bytes,
    type_name,
)

__all__ = [
    "DTYPES",
    "HEADER",
    "MAX_ATTACHMENTS",
    "MAX_DEPTH",
    "MAX_NODES",
    "MAX_ODD_KEYS",
    "MAX_STRUCTURE",
    "Decoder",
    "Encoder",
    "ForeignType",
    "FrameReader",
    "NotPlainData",
    "Record",
    "ResolveClass",
    "WireError",
    "field_names",
    "is_record_type",
    "tensor_bytes",
    "type_name",
]
