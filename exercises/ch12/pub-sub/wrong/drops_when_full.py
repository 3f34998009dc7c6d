# /// wrong
# fails = ["test_burst_loses_nothing"]
# en = """\
# The publisher keeps a limited number of unsent messages for each subscriber, by default a thousand. \
# A subscriber that is busy for a moment lets this queue fill up, and then XPUB throws the next \
# messages away without a word, or, with XPUB_NODROP, lets `put` wait. Neither may be, and a higher \
# limit only puts it off. What limits the send queue, and which value means no limit?"""
# zh = """\
# 发布者为每个订阅者保存的未发出消息有数量限制，默认是一千条。订阅者只要忙上一会儿，这个队列就满了；这时 \
# XPUB 会悄悄丢掉后面的消息，设了 XPUB_NODROP 则会让 `put` 等待。两者都不行，把限制调高也只是推迟问题。\
# 发送队列由什么限制？哪个值表示不限制？"""
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
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder
        self.subscribed = 0

    def wait_for_subscribers(self, n: int) -> None:
        while self.subscribed < n:
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
