# /// wrong
# fails = [
#     "test_cancelled_at_every_turn",
#     "test_cancelled_when_woken",
#     "test_left_to_one_who_waits",
# ]
# en = """\
# Your `get` lets the others run, but with a message in its hand: it first takes the message \
# and then pauses. A task may be cancelled at any pause, for example because a time limit is \
# over (`asyncio.wait_for`). Then the message is gone. In which order must the two steps come?"""
# zh = """\
# 你的 `get` 会让别人运行，不过是在手里拿着消息的时候：它先取走消息，然后才暂停。任务在任何暂\
# 停处都可能被取消，例如时限到了（`asyncio.wait_for`），那条消息就丢了。这两步应当按什么顺序来？"""
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
        raw = await self.socket.recv()
        await asyncio.sleep(0)
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
