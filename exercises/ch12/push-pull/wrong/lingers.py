# /// wrong
# fails = [
#     "test_stop_with_nobody_there",
#     "test_nothing_is_left_behind",
#     "test_forgotten_queue_blocks_nothing",
#     "test_queue_in_a_cycle_blocks_nothing",
# ]
# en = """\
# `stop` closes the socket and ends the context, and both look harmless. But by default a \
# closed socket lives on until every message is delivered, and ending the context waits for \
# that. If nobody ever connects, `stop` never returns. Decide what shall happen to unsent \
# messages, and tell the socket (LINGER)."""
# zh = """\
# `stop` 关闭套接字，再结束上下文（context），两步看起来都没问题。但默认情况下，关闭后的套接字会\
# 在后台继续存在，直到所有消息都送达，而结束上下文要等到那时。如果一直没有人连接，`stop` 就永远\
# 不返回。想好未发出的消息该怎么办，并告诉套接字（LINGER）。"""
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
        self.socket.close()
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
        self.socket.close()
        self.context.term()
