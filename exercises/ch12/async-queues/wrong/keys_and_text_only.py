# /// wrong
# fails = ["test_get_unpacks_every_type"]
# en = """\
# Dicts whose keys are numbers, such as `{1: "a"}`, can be packed, but msgpack refuses to \
# unpack them: by default it allows only text and bytes as keys (`strict_map_key`). What can \
# you tell msgpack in `get`?"""
# zh = """\
# 以数字为键的字典，例如 `{1: "a"}`，可以打包，msgpack 却拒绝解开：它默认只允许文本和字节作键\
# （`strict_map_key`）。在 `get` 里可以告诉 msgpack 什么？"""
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
        self.lock = asyncio.Lock()

    async def get(self) -> Any:
        async with self.lock:
            await self.socket.poll()
            await asyncio.sleep(0)
            raw = await self.socket.recv(zmq.NOBLOCK)
        return self.decoder(msgpack.unpackb(raw, raw=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
