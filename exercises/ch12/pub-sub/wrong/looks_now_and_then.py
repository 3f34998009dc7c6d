# /// wrong
# fails = ["test_subscription_wakes"]
# en = """\
# `wait_for_subscribers` looks for a subscription, sleeps, and looks again. It counts rightly, but it sees \
# a subscriber up to one sleep late, and wakes again and again for nothing. ZMQ can wait until something \
# has come, and then returns at once. Which call does that?"""
# zh = """\
# `wait_for_subscribers` 看一眼有没有订阅，睡一会儿，再看一眼。数得没错，但订阅者到了，它可能晚一觉才发现，\
# 还一次次白白醒来。ZMQ 可以一直等到有东西到来，来了就立刻返回。哪个调用能做到？"""
# ///
from __future__ import annotations

import time
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
            while not self.socket.poll(timeout=0):
                time.sleep(0.1)
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
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
