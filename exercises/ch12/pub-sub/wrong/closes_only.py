# /// wrong
# fails = ["test_nothing_is_left_behind"]
# en = """\
# `stop` returns, but nothing has really ended. The socket was closed without a word about its \
# unsent messages, so ZMQ keeps them, and a thread with them, in the hope that they can still \
# be sent. Nobody ended the context either. Python does so when it collects the queue object, \
# at some moment that you did not choose, and there the program hangs. What must be said about \
# unsent messages when the socket is closed, and who ends the context?"""
# zh = """\
# `stop` 返回了，但其实什么都没有结束。关闭套接字时没有交代未发出的消息怎么办，ZMQ 就把它们连同\
# 后台线程一起留着，指望以后还能发出去。上下文（context）也没有人去结束。等到 Python 回收队列对\
# 象时才会结束它，那个时刻不由你选，程序就卡在那里。关闭套接字时，对未发出的消息该怎么交代？上下\
# 文又由谁来结束？"""
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
