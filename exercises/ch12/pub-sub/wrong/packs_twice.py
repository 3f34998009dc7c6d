# /// wrong
# fails = ["test_same_bytes_for_everybody", "test_put_raw_changes_nothing"]
# en = """\
# `put_raw` packs bytes that are packed already. The subscriber unpacks once and finds bytes \
# where a message should be. Rank 0 forwards what it received so that nobody encodes a second \
# time and all ranks see the same bytes. What is left for `put_raw` to do?"""
# zh = """\
# `put_raw` 把已经打包好的字节又打包了一次。订阅者只拆一层，得到的是一串字节，而不是消息。rank \
# 0 把收到的内容原样转发，正是为了不再编码一次，让每个 rank 看到相同的字节。那么 `put_raw` 还\
# 需要做什么？"""
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
            if event[0] == 1:
                self.subscribed += 1

    def put(self, obj: Any) -> None:
        self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))

    def put_raw(self, raw: bytes) -> None:
        self.socket.send(msgpack.packb(raw, use_bin_type=True))

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
