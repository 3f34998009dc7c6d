# /// wrong
# fails = ["test_waiting_get_sleeps"]
# en = """\
# `get` looks for a message, sleeps for a millisecond, and looks again. No task is blocked, \
# but the program never rests: with ten queues it wakes ten thousand times a second for \
# nothing, and each message comes up to a millisecond late. The event loop can sleep until a \
# socket has something. Which `await` makes use of that?"""
# zh = """\
# `get` 看一眼有没有消息，睡一毫秒，再看一眼。没有任务被阻塞，但程序从不休息：有十个队列，它每\
# 秒就白白醒来一万次，而每条消息还可能晚到一毫秒。事件循环可以一直休眠，直到套接字有动静。哪个 \
# `await` 能用上这一点？"""
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
        while True:
            try:
                raw = await self.socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                await asyncio.sleep(0.001)
                continue
            break
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
