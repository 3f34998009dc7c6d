"""One message, one receiver.

Differs: no class in common; `empty` receives without waiting and keeps the message for `get`;
`stop` destroys the context together with what is on it.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.encoder = encoder
        self.context = zmq.Context()
        self.context.linger = 0  # for every socket that is made on it
        self.socket = self.context.socket(zmq.PUSH)
        (self.socket.bind if create else self.socket.connect)(addr)

    def put(self, obj: Any) -> None:
        self.socket.send(msgpack.Packer(use_bin_type=True).pack(self.encoder(obj)))

    def stop(self) -> None:
        self.context.destroy(linger=0)


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.decoder = decoder
        self.context = zmq.Context()
        self.context.linger = 0
        self.socket = self.context.socket(zmq.PULL)
        (self.socket.bind if create else self.socket.connect)(addr)
        self.seen: deque[bytes] = deque()

    def get(self) -> Any:
        return self.decode(self.get_raw())

    def get_raw(self) -> bytes:
        return self.seen.popleft() if self.seen else self.socket.recv()

    def decode(self, raw: bytes) -> Any:
        unpacker = msgpack.Unpacker(raw=False, strict_map_key=False)
        unpacker.feed(raw)
        return self.decoder(unpacker.unpack())

    def empty(self) -> bool:
        with contextlib.suppress(zmq.Again):
            self.seen.append(self.socket.recv(zmq.NOBLOCK))
        return len(self.seen) == 0

    def stop(self) -> None:
        self.context.destroy(linger=0)
