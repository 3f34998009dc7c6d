# /// wrong
# fails = ["test_two_queues_side_by_side"]
# en = """\
# The socket belongs to the class, so all queues of a kind share the one that was made last. \
# With one queue of each kind nobody notices. But a process may have two PUSH queues, to two \
# different places: its messages would go the wrong way. To whom does a socket belong, to the \
# class or to the object?"""
# zh = """\
# 套接字属于类，所以同一种队列共用最后创建的那一个。每种只有一个队列时，谁也看不出来。但一个进\
# 程可以有两个 PUSH 队列，发往不同的地方：消息就会走错路。套接字应当属于类，还是属于对象？"""
# ///
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        type(self).socket = self.context.socket(zmq.PUSH)
        type(self).socket.setsockopt(zmq.LINGER, 0)
        if create:
            type(self).socket.bind(addr)
        else:
            type(self).socket.connect(addr)
        self.encoder = encoder

    def put(self, obj: Any) -> None:
        type(self).socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))

    def stop(self) -> None:
        type(self).socket.close()
        self.context.term()


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        type(self).socket = self.context.socket(zmq.PULL)
        type(self).socket.setsockopt(zmq.LINGER, 0)
        if create:
            type(self).socket.bind(addr)
        else:
            type(self).socket.connect(addr)
        self.decoder = decoder

    def get(self) -> Any:
        return self.decode(self.get_raw())

    def get_raw(self) -> bytes:
        return type(self).socket.recv()

    def decode(self, raw: bytes) -> Any:
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def empty(self) -> bool:
        return type(self).socket.poll(timeout=0) == 0

    def stop(self) -> None:
        type(self).socket.close()
        self.context.term()
