# /// wrong
# fails = ["test_many_tasks_get"]
# en = """\
# Several tasks poll, the quickest takes the message, and the others poll again. That looks \
# complete, but a wake-up can get lost. The socket tells the event loop of changes only: that \
# something has come, not that it is still there. One task's look uses the news up, and another \
# task, which waits for it, is never woken, although its message is there. How could only one task at a \
# time look at the socket? asyncio has something for that."""
# zh = """\
# 几个任务都在 poll，最快的取走消息，其他的再去 poll。看起来很周全，但唤醒可能会丢。套接字只把变化告诉\
# 事件循环：有东西来了；至于它是否还在，套接字不会再说。一个任务看一眼，这个通知就用掉了；另一个任务还在等\
# 它，却再也不会被唤醒，尽管消息就在那里。怎样保证同一时刻只有一个任务在看套接字？asyncio 里有现成的东\
# 西。"""
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
            await self.socket.poll()
            try:
                raw = await self.socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                continue  # another task was quicker
            break
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
