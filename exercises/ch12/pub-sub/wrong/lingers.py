# /// wrong
# fails = ["test_stop_drops_what_is_unsent", "test_nothing_is_left_behind"]
# en = """\
# `stop` closes the socket and ends the context, and both look harmless. But by default a \
# closed socket lives on until every message is delivered, and ending the context waits for \
# that. One subscriber that has stopped reading is enough, and `stop` never returns. Decide \
# what shall happen to unsent messages, and tell the socket (LINGER)."""
# zh = """\
# `stop` 关闭套接字，再结束上下文（context），两步看起来都没问题。但默认情况下，关闭后的套接字会\
# 在后台继续存在，直到所有消息都送达，而结束上下文要等到那时。只要有一个订阅者不再读取，`stop` \
# 就永远不返回。想好未发出的消息该怎么办，并告诉套接字（LINGER）。"""
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
