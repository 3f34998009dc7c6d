# /// wrong
# fails = [
#     "test_cancelled_before_a_message",
#     "test_cancelled_when_woken",
#     "test_left_to_one_who_waits",
# ]
# en = """\
# `asyncio.shield` keeps `recv` alive when the task is cancelled, and that is the trouble: `recv` goes on \
# waiting, takes the next message, and has nobody to give it to. A receiving that survives its task must \
# be kept, so that the next `get` can go on with it. Or do not take at all while you wait: which \
# method only tells you that a message is there?"""
# zh = """\
# 任务被取消时，`asyncio.shield` 让 `recv` 继续活着，问题就出在这里：`recv` 继续等，取走下一条消息，却没\
# 有人可交。任务没了而接收还在，就必须把它留好，让下一个 `get` 接着用。或者等待时干脆不取：哪个方法只告诉\
# 你有消息，而不取走它？"""
# ///
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgpack
import zmq
import zmq.asyncio


class ZmqAsyncPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.asyncio.Context()
        self.socket = self.context.socket(zmq.PUSH)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder

    async def put(self, obj: Any) -> None:
        await self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))
        await asyncio.sleep(0)

    def stop(self) -> None:
        self.socket.close()
        self.context.term()


class ZmqAsyncPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.context = zmq.asyncio.Context()
        self.socket = self.context.socket(zmq.PULL)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.decoder = decoder

    async def get(self) -> Any:
        await asyncio.sleep(0)
        raw = await asyncio.shield(self.socket.recv())
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
