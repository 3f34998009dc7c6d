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

import weakref
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


def end(context: zmq.Context, socket: zmq.Socket) -> None:
    socket.close()
    context.term()


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        context = zmq.Context()
        self.socket = context.socket(zmq.PUSH)
        self.end = weakref.finalize(self, end, context, self.socket)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder

    def put(self, obj: Any) -> None:
        self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))

    def stop(self) -> None:
        self.end()


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        context = zmq.Context()
        self.socket = context.socket(zmq.PULL)
        self.end = weakref.finalize(self, end, context, self.socket)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.decoder = decoder

    def get(self) -> Any:
        return self.decode(self.get_raw())

    def get_raw(self) -> bytes:
        return self.socket.recv()

    def decode(self, raw: bytes) -> Any:
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def empty(self) -> bool:
        try:
            self.socket.recv(zmq.NOBLOCK)
        except zmq.Again:
            return True
        return False

    def stop(self) -> None:
        self.end()
