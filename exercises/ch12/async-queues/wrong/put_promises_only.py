# /// wrong
# fails = ["test_heart_beats_while_put_waits", "test_many_tasks_put", "test_waiting_put_sleeps"]
# en = """\
# `put` starts a task that sends, and returns at once. So it returns before the message has \
# been handed over: whoever stops the queue or ends the program after `put` loses it. And as \
# nobody holds a sender back, a million unsent messages pile up in tasks. Who should wait for \
# `send`?"""
# zh = """\
# `put` 启动一个任务去发送，自己立刻返回。所以它返回时消息还没有交出去：`put` 之后停止队列或结\
# 束程序，消息就丢了。而且没有什么能让发送者慢下来，一百万条未发出的消息会堆积成一百万个任务。\
# 应当由谁来等 `send`？"""
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
        self.sending = asyncio.ensure_future(self.socket.send(data))
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
