# /// wrong
# fails = ["test_empty_takes_nothing"]
# en = """\
# `empty` looks by receiving, and throws away what it has received. So each look costs a \
# message, and the next `get` waits for one that is already gone. Is there a way to ask \
# whether a message is there without taking it? If you must take it, where could it be kept \
# for `get`?"""
# zh = """\
# `empty` 用接收的办法来看，收到的消息却扔掉了。于是每看一次就丢一条消息，接下来的 `get` 还在\
# 等那条早已不在的消息。有没有办法只问有没有消息，而不取走它？如果非取不可，该把它放在哪里留给 \
# `get`？"""
# ///
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqPubQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.XPUB)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.XPUB_VERBOSE, 1)
        self.socket.setsockopt(zmq.SNDHWM, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder
        self.subscribed = 0

    def wait_for_subscribers(self, n: int) -> None:
        while self.subscribed < n:
            event = self.socket.recv()
            if event[0] == 1:
                self.subscribed += 1

    def put(self, obj: Any) -> None:
        self.put_raw(msgpack.packb(self.encoder(obj), use_bin_type=True))

    def put_raw(self, raw: bytes) -> None:
        self.socket.send(raw)

    def stop(self) -> None:
        self.socket.close()
        self.context.term()


class ZmqSubQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.SUB)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.SUBSCRIBE, b"")
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.decoder = decoder

    def get(self) -> Any:
        return self.decoder(msgpack.unpackb(self.socket.recv(), raw=False, strict_map_key=False))

    def empty(self) -> bool:
        try:
            self.socket.recv(zmq.NOBLOCK)
        except zmq.Again:
            return True
        return False

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
