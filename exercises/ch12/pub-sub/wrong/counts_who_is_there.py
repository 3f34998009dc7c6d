# /// wrong
# fails = ["test_leaving_is_not_subscribing", "test_who_left_stays_counted"]
# en = """\
# Each farewell takes one off the count, so it says how many are there now. That is not what \
# was asked, and XPUB cannot tell it either: of several equal subscriptions it reports only the \
# last farewell, so the count stays too high when one of two has left. And whoever waits while \
# somebody comes, goes and comes again waits too long. What does the statement count, and since \
# when?"""
# zh = """\
# 每收到一次有人离开的通知，计数就减一，于是它表示的是现在有多少人在。题目要的不是这个，XPUB 也\
# 说不准：对相同的订阅，它只报告最后一个离开的，所以两个里走了一个时，计数仍然偏高。而如果有人来\
# 了、走了、又来了，就会等得太久。题目要数的是什么？从什么时候数起？"""
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
            self.subscribed += 1 if event[0] == 1 else -1

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
