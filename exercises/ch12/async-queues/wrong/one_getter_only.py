# /// wrong
# fails = ["test_many_tasks_get", "test_one_message_for_many"]
# en = """\
# Several tasks may wait in `get` at the same time. One message wakes all of them, and the \
# quickest takes it. The others find nothing, and `zmq.Again` escapes from your `get`. How \
# could you see to it that only one task at a time looks at the socket? asyncio has something \
# for that."""
# zh = """\
# 可能有好几个任务同时在 `get` 里等待。一条消息会把它们全部唤醒，最快的那个取走消息；其他任务\
# 什么也没找到，`zmq.Again` 就从你的 `get` 里抛了出来。怎样保证同一时刻只有一个任务在看套接字？\
# asyncio 里有现成的东西。"""
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
        await self.socket.poll()
        await asyncio.sleep(0)
        raw = await self.socket.recv(zmq.NOBLOCK)
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
