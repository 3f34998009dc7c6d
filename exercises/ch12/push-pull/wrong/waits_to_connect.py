# /// wrong
# fails = [
#     "test_stop_with_nobody_there",
#     "test_connected_put_does_not_wait",
#     "test_nothing_is_left_behind",
#     "test_forgotten_queue_blocks_nothing",
#     "test_queue_in_a_cycle_blocks_nothing",
# ]
# en = """\
# `put` waits until the other side is there, although your queue has connected. With IMMEDIATE a \
# connection counts only when it is complete; without it ZMQ keeps the messages until then. The two \
# sides may start in any order, and who starts first should not stand still. Which default have you \
# changed?"""
# zh = """\
# 你的队列已经去连接了，`put` 却还要等对方出现。设了 IMMEDIATE，连接真正建立之后才算数；不设的话，\
# ZMQ 会先把消息存着。两边谁先启动都可以，先启动的不该停在那里。你改动了哪个默认值？"""
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
        self.socket.setsockopt(zmq.IMMEDIATE, 1)
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
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.end()
