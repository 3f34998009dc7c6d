"""One message, one receiver.

Differs: no class in common; `empty` receives without waiting and keeps the message for `get`;
the finalizer holds the socket only, which knows its context.
"""

from __future__ import annotations

import contextlib
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


def end(socket: zmq.Socket) -> None:
    socket.close(linger=0)
    socket.context.term()


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.encoder = encoder
        context = zmq.Context()
        context.linger = 0  # for every socket that is made on it
        self.socket = context.socket(zmq.PUSH)
        self.end = weakref.finalize(self, end, self.socket)
        (self.socket.bind if create else self.socket.connect)(addr)

    def put(self, obj: Any) -> None:
        self.socket.send(msgpack.Packer(use_bin_type=True).pack(self.encoder(obj)))

    def stop(self) -> None:
        self.end()


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.decoder = decoder
        context = zmq.Context()
        context.linger = 0
        self.socket = context.socket(zmq.PULL)
        self.end = weakref.finalize(self, end, self.socket)
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
        self.end()
