# /// wrong
# fails = ["test_waiting_costs_no_time", "test_subscription_wakes"]
# en = """\
# A plain PUB socket never learns who has subscribed, so the code sleeps and hopes. The \
# subscriber that needs longer than the sleep misses its first messages, without any error. \
# All others wait for nothing, every time. A sleep is a guess. What event says that a \
# subscription has arrived, and which socket type lets you see it?"""
# zh = """\
# 普通的 PUB 套接字不知道谁订阅了，于是代码睡一会儿，碰碰运气。订阅者如果比这段时间来得更晚，\
# 就会漏掉最前面的消息，而且没有任何报错；其他人则每次都白白等待。sleep 只是猜测。有什么\
# 事件能说明订阅已经到达？哪一种套接字能让你看到它？"""
# ///
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqPubQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PUB)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.SNDHWM, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder

    def wait_for_subscribers(self, n: int) -> None:
        time.sleep(0.4)  # give them time to connect

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
