# /// wrong
# fails = ["test_nothing_is_left_behind", "test_stop_with_nobody_there"]
# en = """\
# Ending a context waits until every message is delivered, unless the socket says otherwise \
# (LINGER). Here the event loop itself waits in `stop`: if the other side never comes, the \
# whole server stands still. What shall happen to unsent messages?"""
# zh = """\
# 除非套接字另有交代（LINGER），结束上下文（context）会一直等到所有消息都送达。在这里，是事件循\
# 环自己在 `stop` 里等：如果对方一直不来，整个服务器就停住了。未发出的消息该怎么办？"""
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
