# /// wrong
# fails = [
#     "test_same_bytes_for_everybody",
#     "test_waits_for_the_second",
#     "test_counts_since_the_beginning",
#     "test_all_messages_in_order",
# ]
# en = """\
# XPUB tells you about a subscription only if it is a new one. All ranks subscribe to the same \
# topic, the empty one, so the second subscription is nothing new and is swallowed; waiting \
# for two never ends. With one subscriber everything works, which hides the mistake. Look for \
# the socket option that lets every subscription through."""
# zh = """\
# XPUB 默认只通报新的订阅。各个 rank 订阅的都是同一个主题（空主题），所以第二个订阅不算新的，\
# 被它吞掉了；等两个订阅者，就永远等不到。只有一个订阅者时一切正常，错误因此藏了起来。找一找：\
# 哪个套接字选项能让每个订阅都通报上来？"""
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
