# /// wrong
# fails = ["test_many_tasks_put"]
# en = """\
# `put` tries at once, and waits only if that fails. While nobody is there, puts queue up. When the \
# receiver comes, they are sent one after the other, and a new `put`, which also tries at once, \
# overtakes those that are still waiting. Whoever comes later must wait behind the others, even if \
# the socket has room. Who keeps the line?"""
# zh = """\
# `put` 先试着立刻发送，不行才等待。还没有接收者时，等待的 `put` 会排起队。接收者来了，它们一个接一个地\
# 发出；这时新来的 `put` 也先试一次，就抢在了还在排队的前面。后来的必须排在后面，即使套接字有空位。由谁来\
# 维持这个队伍？"""
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
        data = msgpack.packb(self.encoder(obj), use_bin_type=True)
        try:
            zmq.Socket.send(self.socket, data, zmq.NOBLOCK)
        except zmq.Again:
            await self.socket.send(data)
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
        self.lock = asyncio.Lock()

    async def get(self) -> Any:
        async with self.lock:
            await self.socket.poll()
            await asyncio.sleep(0)
            raw = await self.socket.recv(zmq.NOBLOCK)
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
