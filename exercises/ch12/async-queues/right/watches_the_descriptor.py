"""Queues for an event loop, which nothing may block.

Differs: no zmq.asyncio. A plain socket has a descriptor that becomes readable when something has
happened to the socket; the loop watches it, and sending and receiving never wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class Queue:
    def __init__(self, kind: int, addr: str, create: bool) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(kind)
        self.socket.linger = 0
        (self.socket.bind if create else self.socket.connect)(addr)
        self.lock = asyncio.Lock()
        self.waiting: asyncio.Future[None] | None = None

    async def until(self, event: int) -> None:
        """Let the others run once, then wait until the socket can send or receive."""
        await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        # Asked before every wait: the descriptor tells of changes, not of what is so already.
        while not self.socket.get(zmq.EVENTS) & event:
            self.waiting = loop.create_future()
            loop.add_reader(self.socket.get(zmq.FD), self.wake)
            try:
                await self.waiting
            finally:
                if not self.socket.closed:
                    loop.remove_reader(self.socket.get(zmq.FD))

    def wake(self) -> None:
        if not self.waiting.done():
            self.waiting.set_result(None)

    def stop(self) -> None:
        if self.waiting is not None and not self.waiting.done():
            self.waiting.get_loop().remove_reader(self.socket.get(zmq.FD))
            self.waiting.cancel()
        self.context.destroy(linger=0)


class ZmqAsyncPushQueue(Queue):
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        super().__init__(zmq.PUSH, addr, create)
        self.encoder = encoder

    async def put(self, obj: Any) -> None:
        async with self.lock:
            await self.until(zmq.POLLOUT)
            self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True), zmq.NOBLOCK)


class ZmqAsyncPullQueue(Queue):
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        super().__init__(zmq.PULL, addr, create)
        self.decoder = decoder

    async def get(self) -> Any:
        async with self.lock:
            await self.until(zmq.POLLIN)
            raw = self.socket.recv(zmq.NOBLOCK)
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))
