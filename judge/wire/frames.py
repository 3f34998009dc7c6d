"""Frames in a stream of bytes."""

from __future__ import annotations

import struct

from judge.wire.limits import MAX_ATTACHMENTS, MAX_STRUCTURE
from judge.wire.plain import WireError

HEADER = struct.Struct("<II")


class FrameReader:
    """Collects bytes of a stream and cuts frames out of it; refuses a length over the limits at once."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next_frame(self) -> tuple[bytes, bytes] | None:
        """`(structure, attachments)`, or None while the frame is not whole. Raises `WireError`."""
        if len(self._buffer) < HEADER.size:
            return None
        structure, attachments = HEADER.unpack_from(self._buffer)
        if structure > MAX_STRUCTURE or attachments > MAX_ATTACHMENTS:
            raise WireError(f"a frame of {structure + attachments:,} bytes is refused")
        middle = HEADER.size + structure
        end = middle + attachments
        if len(self._buffer) < end:
            return None
        frame = bytes(self._buffer[HEADER.size : middle]), bytes(self._buffer[middle:end])
        del self._buffer[:end]
        return frame
