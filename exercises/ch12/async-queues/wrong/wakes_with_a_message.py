# /// wrong
# fails = ["test_cancelled_when_woken", "test_left_to_one_who_waits"]
# en = """\
# Almost right. `await recv()` pauses until a message is there, and pyzmq takes the message \
# out of the queue at once. Your task goes on one turn later. If it is cancelled in just this \
# turn, the message is in nobody's hands and is lost. It happens seldom, and so it is found \
# late. How can you wait without taking, and take without waiting?"""
# zh = """\
# 几乎全对。`await recv()` 会暂停到有消息为止，而 pyzmq 在消息到来时立刻把它取出队列。你的任务\
# 要到下一轮才继续。如果恰好在这一轮里被取消，消息就不在任何人手里，丢了。这种情况很少发生，所\
# 以很晚才会被发现。怎样只等待而不取走，取走时又不等待？"""
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
        raw = await self.socket.recv()
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
