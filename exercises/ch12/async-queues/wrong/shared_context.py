# /// wrong
# fails = ["test_stop_harms_no_other"]
# en = """\
# All queues of the process share one context, and `stop` ends it. Ending a context waits \
# until every socket on it is closed, also those of queues that are still at work; the event \
# loop waits with it. Either each queue has a context of its own, or nobody but its maker may \
# end it."""
# zh = """\
# 进程里所有的队列共用一个上下文（context），而 `stop` 会结束它。结束上下文要等上面的所有套接字\
# 都关闭，包括还在工作的其他队列的套接字；事件循环也跟着一起等。要么每个队列有自己的上下文，要么\
# 只有创建它的人才能结束它。"""
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
        self.context = zmq.asyncio.Context.instance()
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
        self.context = zmq.asyncio.Context.instance()
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
