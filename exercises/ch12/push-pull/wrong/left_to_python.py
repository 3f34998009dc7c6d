# /// wrong
# fails = ["test_queue_in_a_cycle_blocks_nothing"]
# en = """\
# `stop` is right, and a queue that is simply forgotten ends well too: Python collects the context, \
# and the context closes the sockets that it knows. But it knows them by weak references. If the queue \
# lies in a reference cycle, as in `self.queue = ZmqPushQueue(addr, False, self.encode)`, Python \
# clears these first. The context then finds no socket to close, and waits for one that is still \
# open. Who could hold context and socket until both have ended, and how does it learn that the \
# queue is gone? Look at `weakref.finalize`."""
# zh = """\
# `stop` 没有问题，单纯被遗忘的队列也能好好结束：Python 回收上下文（context），上下文再关闭它认识的\
# 套接字。可是它靠弱引用认识它们。如果队列处在引用环里，例如 \
# `self.queue = ZmqPushQueue(addr, False, self.encode)`，Python 会先清除这些弱引用。这时上下文找不\
# 到要关闭的套接字，就一直等着那个还开着的。谁可以拿住上下文和套接字，直到两者都结束？它又怎么知道队\
# 列已经没了？看看 `weakref.finalize`。"""
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
        self.socket.setsockopt(zmq.LINGER, 0)
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
