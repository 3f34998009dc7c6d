"""Queues for an event loop, which nothing may block.

Differs: `get` begins to receive once and keeps that future until a task has gone away with its
message, so a cancelled task leaves it to the next. All queues share a context that nobody ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgpack
import zmq
import zmq.asyncio


def open_socket(kind: int, addr: str, create: bool) -> zmq.asyncio.Socket:
    socket = zmq.asyncio.Context.instance().socket(kind)
    socket.setsockopt(zmq.LINGER, 0)
    if create:
        socket.bind(addr)
    else:
        socket.connect(addr)
    return socket


class ZmqAsyncPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self._encode = encoder
        self._push = open_socket(zmq.PUSH, addr, create)

    async def put(self, obj: Any) -> None:
        await asyncio.sleep(0)
        await self._push.send_multipart([msgpack.dumps(self._encode(obj), use_bin_type=True)])

    def stop(self) -> None:
        self._push.close(linger=0)


class ZmqAsyncPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self._decode = decoder
        self._pull = open_socket(zmq.PULL, addr, create)
        self._one_at_a_time = asyncio.Semaphore(1)
        self._receiving: asyncio.Future[bytes] | None = None

    async def get(self) -> Any:
        async with self._one_at_a_time:
            await asyncio.sleep(0)
            if self._receiving is None:
                self._receiving = self._pull.recv()
            # Cancelling the task cancels the shield, not what it protects.
            raw = await asyncio.shield(self._receiving)
            self._receiving = None
        return self._decode(msgpack.loads(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self._pull.close(linger=0)
