# /// wrong
# fails = ["test_burst_loses_nothing"]
# en = """\
# The publisher keeps at most a thousand unsent messages for each subscriber, which is ZMQ's \
# default. A subscriber that is busy for a moment lets this queue fill up, and then XPUB does \
# not wait and does not complain: it throws the next messages away. A rank that misses one \
# message is out of step for ever. What limits the send queue, and which value means no limit?"""
# zh = """\
# 发布者为每个订阅者最多保存一千条未发出的消息，这是 ZMQ 的默认值。订阅者只要忙上一会儿，这个\
# 队列就满了；这时 XPUB 既不等待也不报错，而是把后面的消息直接丢掉。一个 rank 漏掉一条消息，就\
# 再也跟不上其他 rank 了。发送队列由什么限制？哪个值表示不限制？"""
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
        return self.decoder(msgpack.unpackb(self.socket.recv(), raw=False))

    def empty(self) -> bool:
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
