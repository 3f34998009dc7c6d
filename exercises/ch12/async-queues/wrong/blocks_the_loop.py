# /// wrong
# fails = [
#     "test_cancelled_at_every_turn",
#     "test_cancelled_before_a_message",
#     "test_cancelled_when_woken",
#     "test_heart_beats_while_get_waits",
#     "test_heart_beats_while_put_waits",
#     "test_left_to_one_who_waits",
#     "test_many_tasks_get",
#     "test_many_tasks_put",
#     "test_one_message_for_many",
#     "test_stop_ends_a_waiting_get",
#     "test_waiting_get_sleeps",
#     "test_waiting_put_sleeps",
# ]
# en = """\
# `put` and `get` are `async def`, but inside they use a plain ZMQ socket. `async` alone makes \
# nothing wait politely: `recv` stops the whole thread, and with it the event loop and every \
# other task. Only an `await` hands the thread on. Which module of pyzmq has sockets whose \
# `send` and `recv` can be awaited?"""
# zh = """\
# `put` 和 `get` 写成了 `async def`，里面用的却是普通的 ZMQ 套接字。光写 `async` 不会让等待变\
# 得“客气”：`recv` 会停住整个线程，事件循环和其他所有任务也跟着停住。只有 `await` 才会把线程让\
# 出去。pyzmq 的哪个模块里，套接字的 `send` 和 `recv` 可以 await？"""
# ///
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqAsyncPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PUSH)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder

    async def put(self, obj: Any) -> None:
        self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))
        await asyncio.sleep(0)

    def stop(self) -> None:
        self.socket.close()
        self.context.term()


class ZmqAsyncPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PULL)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.decoder = decoder

    async def get(self) -> Any:
        raw = self.socket.recv()
        await asyncio.sleep(0)
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
