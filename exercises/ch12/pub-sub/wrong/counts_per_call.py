# /// wrong
# fails = [
#     "test_counts_since_the_beginning",
#     "test_leaving_is_not_subscribing",
#     "test_who_left_stays_counted",
# ]
# en = """\
# Each call of `wait_for_subscribers` starts to count from zero. A subscription is read from \
# the socket only once: what an earlier call has read, a later call never sees, and so it \
# waits for subscribers that are long there. Where must the count live so that the next call \
# still knows it?"""
# zh = """\
# 每次调用 `wait_for_subscribers` 都从零开始数。一个订阅只能从套接字里读到一次：前一次调用读走\
# 的，后一次调用再也看不到，于是它会一直等那些早就来了的订阅者。计数应当放在哪里，下一次调用才\
# 还知道它？"""
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

    def wait_for_subscribers(self, n: int) -> None:
        subscribed = 0
        while subscribed < n:
            event = self.socket.recv()
            if event[0] == 1:
                subscribed += 1

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
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
