# /// wrong
# fails = [
#     "test_empty_takes_nothing",
#     "test_empty_does_not_wait",
#     "test_empty_is_true_or_false",
# ]
# en = """\
# `empty` waits for a message before it answers. A scheduler asks `empty` in every step, to go \
# on computing when nothing has come; with this queue it stands still until somebody sends. \
# `poll` without a timeout waits without an end. How long may a question that asks about now \
# take?"""
# zh = """\
# `empty` 等到有消息才回答。调度器每一步都要问一次 `empty`，没有消息就继续计算；用这个队列，它\
# 会停在那里，直到有人发送。`poll` 不给超时，就会无限期地等。一个只问“现在”的问题，可以花多长\
# 时间？"""
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
        return self.socket.poll() == 0

    def stop(self) -> None:
        self.end()
