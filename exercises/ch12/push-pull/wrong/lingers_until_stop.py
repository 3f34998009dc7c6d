# /// wrong
# fails = ["test_forgotten_queue_blocks_nothing", "test_queue_in_a_cycle_blocks_nothing"]
# en = """\
# Your `stop` is right: it drops what is unsent. But a queue can also end without `stop`, for \
# example when an exception ends the program. Python then collects the socket and the context, \
# and as nobody has said otherwise, ZMQ waits for the unsent messages. At which moment of a \
# socket's life can you say once and for all that it must not?"""
# zh = """\
# 你的 `stop` 没问题：它会丢掉未发出的消息。但队列也可能不经过 `stop` 就结束，例如程序因为异常而\
# 退出。这时 Python 回收套接字和上下文（context）；既然没有人交代过，ZMQ 就去等那些未发出的消\
# 息。在套接字的一生中，哪个时刻可以一次说定，让它不要等？"""
# ///
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PUSH)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder

    def put(self, obj: Any) -> None:
        self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))

    def stop(self) -> None:
        self.socket.close(linger=0)
        self.context.term()


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PULL)
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
        self.socket.close(linger=0)
        self.context.term()
