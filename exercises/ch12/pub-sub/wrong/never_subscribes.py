# /// wrong
# fails = [
#     "test_message_arrives",
#     "test_empty_takes_nothing",
#     "test_get_unpacks_and_decodes",
#     "test_numbers_as_keys",
#     "test_subscriber_may_bind",
#     "test_stop_harms_no_other",
#     "test_stop_closes",
# ]
# en = """\
# The SUB socket is connected, but it has subscribed to nothing. A fresh SUB wants no topic at \
# all, not all of them, and so ZMQ filters every message out before `get` could see it. What \
# must be said to a SUB socket so that it receives everything?"""
# zh = """\
# SUB 套接字连接上了，却什么也没有订阅。新建的 SUB 不是接收所有主题，而是一个主题也不要，所以 \
# ZMQ 在 `get` 看到之前就把每条消息都过滤掉了。要对 SUB 套接字说什么，它才会接收全部消息？"""
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
