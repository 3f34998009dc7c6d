# /// wrong
# fails = [
#     "test_cancelled_when_woken",
#     "test_left_to_one_who_waits",
#     "test_others_run_while_messages_wait",
#     "test_others_run_while_much_is_put",
# ]
# en = """\
# While nothing is there, your queues wait as they should. But to await something that is \
# finished already does not pause. If a thousand messages have arrived, the task takes all of \
# them in one go, and the heartbeat, new connections and every other task wait until the last. \
# How can a task give the others a turn on purpose?"""
# zh = """\
# 没有消息时，你的队列等得很好。但是，await 一个已经完成的东西并不会暂停。如果已经到了一千条消\
# 息，这个任务就一口气全部取走；心跳、新的连接和其他所有任务都要等到最后一条。任务怎样才能主动\
# 让别人运行一轮？"""
# ///
from __future__ import annotations

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
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
