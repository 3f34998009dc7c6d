# /// wrong
# fails = ["test_empty_does_not_wait"]
# en = """\
# `empty` gives a message a few milliseconds to come before it says that there is none. That \
# looks kind, but a scheduler asks between any two steps of its computation. If a step takes \
# ten milliseconds and `empty` five, a third of the machine's time is spent on waiting. Which \
# timeout means: only look?"""
# zh = """\
# `empty` 先等几毫秒，看消息会不会来，然后才说没有。看起来很周到，但调度器每算一步都要问一次。\
# 如果一步要十毫秒，`empty` 又要五毫秒，机器就有三分之一的时间花在等待上。超时设成多少，才是“\
# 只看一眼”？"""
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
        return self.socket.poll(timeout=5) == 0

    def stop(self) -> None:
        self.end()
