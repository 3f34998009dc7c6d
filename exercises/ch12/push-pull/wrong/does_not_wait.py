# /// wrong
# fails = ["test_put_waits_for_a_receiver"]
# en = """\
# `put` does not wait until there is a receiver. With NOBLOCK, or when a SNDTIMEO is over, ZMQ refuses \
# a message that nobody can take yet. If you pass over that, the message is lost without a word; if \
# not, `put` fails with `zmq.Again`. A PUSH queue is allowed to wait. What does `send` do without flag \
# and timeout?"""
# zh = """\
# `put` 没有等到接收者出现。用了 NOBLOCK，或者 SNDTIMEO 的时间到了，暂时没有人能接收的消息 ZMQ 就不\
# 收。如果忽略这个情况，消息就悄悄丢了；如果不忽略，`put` 就以 `zmq.Again` 失败。PUSH 队列是可以等待\
# 的。不带标志也不设超时，`send` 会怎么做？"""
# ///
from __future__ import annotations

import contextlib
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
        data = msgpack.packb(self.encoder(obj), use_bin_type=True)
        with contextlib.suppress(zmq.Again):  # nobody is there
            self.socket.send(data, zmq.NOBLOCK)

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
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.end()
