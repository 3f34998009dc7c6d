"""Messages and file descriptors between the judge's own processes; never towards learner's code.

A message is a JSON object behind its length and the number of its descriptors. Descriptors arrive in
order, though perhaps together with an earlier message's bytes; the number says whose they are.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any

MAX_MESSAGE = 16 * 1024 * 1024
MAX_DESCRIPTORS = 8
_HEAD = struct.Struct("<IB")


class Control:
    """One end of a connection between two processes of the judge."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()
        self._descriptors: list[int] = []

    @classmethod
    def pair(cls) -> tuple[Control, socket.socket]:
        """This process's end, and the socket to hand to the other process."""
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        return cls(here), there

    def fileno(self) -> int:
        return self._connection.fileno()

    def close(self) -> None:
        self._connection.close()
        self.drop_descriptors()

    def drop_descriptors(self) -> None:
        for descriptor in self._descriptors:
            socket.close(descriptor)
        self._descriptors.clear()

    def send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Send one message. Raises `OSError` if the other side is gone."""
        body = json.dumps(message).encode("utf-8", "surrogatepass")
        data = _HEAD.pack(len(body), len(descriptors)) + body
        if not descriptors:
            self._connection.sendall(data)
            return
        sent = socket.send_fds(self._connection, [data], list(descriptors))
        self._connection.sendall(data[sent:])

    def receive(self, deadline: float | None = None) -> tuple[dict[str, Any], list[int]]:
        """The next message and its descriptors.

        `deadline` is a `time.monotonic()` time in seconds. Raises `TimeoutError` when it passes,
        `EOFError` when the other side is gone, `ValueError` for a message over the limit.
        """
        while (message := self._next()) is None:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self._connection], [], [], left)[0]:
                    raise TimeoutError
            try:
                data, descriptors, _, _ = socket.recv_fds(
                    self._connection, 1 << 16, MAX_DESCRIPTORS
                )
            except ConnectionError:
                raise EOFError from None
            self._descriptors += descriptors
            if not data:
                raise EOFError
            self._buffer += data
        return message

    def _next(self) -> tuple[dict[str, Any], list[int]] | None:
        if len(self._buffer) < _HEAD.size:
            return None
        length, count = _HEAD.unpack_from(self._buffer)
        if length > MAX_MESSAGE:
            raise ValueError(f"a message of {length:,} bytes")
        end = _HEAD.size + length
        if len(self._buffer) < end or len(self._descriptors) < count:
            return None
        body = bytes(self._buffer[_HEAD.size : end])
        del self._buffer[:end]
        descriptors, self._descriptors = self._descriptors[:count], self._descriptors[count:]
        return json.loads(body.decode("utf-8", "surrogatepass")), descriptors
