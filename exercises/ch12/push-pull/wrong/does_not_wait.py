# /// wrong
# fails = ["test_put_waits_for_a_receiver"]
# en = """\
# `put` does not wait: with NOBLOCK, ZMQ refuses a message that nobody can take yet, and you \
# pass over that. So whatever is put before the first receiver has connected is lost without a \
# word. A PUSH queue is allowed to wait. What does `send` do without the flag?"""
# zh = """\
# `put` 不等待：用了 NOBLOCK，暂时没有人能接收的消息 ZMQ 就不收，而你把这个情况忽略了。于是第\
# 一个接收者连上之前放入的消息全都丢了，而且没有任何提示。PUSH 队列是可以等待的。不带这个标志，\
# `send` 会怎么做？"""
# ///
from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PUSH)
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
        self.socket.close()
        self.context.term()


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PULL)
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
        self.socket.close()
        self.context.term()
