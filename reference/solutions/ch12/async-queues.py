"""Queues for an event loop, which nothing may block."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgpack
import zmq
import zmq.asyncio


class _AsyncQueue:
    """An asyncio socket on a context of its own, so that stopping one queue touches no other."""

    def __init__(self, kind: int, addr: str, create: bool) -> None:
        self._context = zmq.asyncio.Context()
        self._socket = self._context.socket(kind)
        # By default ZMQ keeps unsent messages for ever, and whoever ends the context waits for them.
        self._socket.linger = 0
        if create:
            self._socket.bind(addr)
        else:
            self._socket.connect(addr)

    async def _let_others_run(self) -> None:
        """One turn for each task that is ready.

        To await what is finished already does not pause: without this, a task that finds message
        after message would keep all others from running.
        """
        await asyncio.sleep(0)

    def stop(self) -> None:
        self._socket.close()
        self._context.term()


class ZmqAsyncPushQueue(_AsyncQueue):
    """Sends each message to one PULL queue; other tasks run while it waits."""

    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        super().__init__(zmq.PUSH, addr, create)
        self._encoder = encoder

    async def put(self, obj: Any) -> None:
        await self._socket.send(msgpack.packb(self._encoder(obj), use_bin_type=True))
        await self._let_others_run()


class ZmqAsyncPullQueue(_AsyncQueue):
    """Receives what PUSH queues send; other tasks run while it waits."""

    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        super().__init__(zmq.PULL, addr, create)
        self._decoder = decoder
        self._turn = asyncio.Lock()

    async def get(self) -> Any:
        # One task at a time looks at the socket, so a message that it sees is still there to take.
        async with self._turn:
            # Every pause comes before the message is taken. `await recv()` would pause with the
            # message in hand: a task that is cancelled there throws it away.
            await self._socket.poll()
            await self._let_others_run()
            raw = await self._socket.recv(zmq.NOBLOCK)
        return self._decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))
