# /// wrong
# fails = ["test_left_to_one_who_waits"]
# en = """\
# A cancelled `get` puts its message into a list, and the next `get` looks there first. But a `get` that \
# waits already has looked before. It waits at the socket, and the message lies in the list; it \
# comes only when somebody else begins a `get`. It is simpler to take no message before nothing can \
# come between. How can you wait without taking, and take without waiting?"""
# zh = """\
# 被取消的 `get` 把消息放进一个列表，下一个 `get` 先看列表。可是已经在等待的 `get` 早就看过了：它等在套\
# 接字上，消息却躺在列表里，要到别人再调用 `get` 时才会被取走。更简单的办法是：在确定不会再被打断之前，\
# 先不取消息。怎样只等待而不取走，取走时又不等待？"""
# ///
from __future__ import annotations

import asyncio
from collections import deque
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
        self.left: deque[bytes] = deque()

    async def get(self) -> Any:
        await asyncio.sleep(0)
        if self.left:
            raw = self.left.popleft()
        else:
            receiving = self.socket.recv()
            try:
                raw = await receiving
            except asyncio.CancelledError:
                if receiving.done() and not receiving.cancelled():
                    self.left.append(receiving.result())
                raise
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
