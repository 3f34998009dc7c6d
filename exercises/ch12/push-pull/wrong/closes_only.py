# /// wrong
# fails = [
#     "test_nothing_is_left_behind",
#     "test_forgotten_queue_blocks_nothing",
#     "test_queue_in_a_cycle_blocks_nothing",
# ]
# en = """\
# `stop` returns, but nothing has really ended. The socket was closed without a word about its \
# unsent messages, so ZMQ keeps them, and a thread with them, in the hope that they can still \
# be sent. Nobody ended the context either. Python does so when it collects the queue object, \
# and there the program hangs. What must be said about unsent messages, and who ends the \
# context?"""
# zh = """\
# `stop` 返回了，但其实什么都没有结束。关闭套接字时没有交代未发出的消息怎么办，ZMQ 就把它们连同\
# 后台线程一起留着，指望以后还能发出去。上下文（context）也没有人去结束。等到 Python 回收队列对\
# 象时才会结束它，程序就卡在那里。对未发出的消息该怎么交代？上下文又由谁来结束？"""
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
