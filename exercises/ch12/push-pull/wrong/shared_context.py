# /// wrong
# fails = ["test_stop_harms_no_other"]
# en = """\
# All queues of the process share one context, and `stop` ends it. Ending a context waits \
# until every socket on it is closed, also the sockets of queues that are still at work. So \
# the first `stop` waits for all the others. Who else uses the context that you end? Either \
# each queue has its own, or nobody but its maker may end it."""
# zh = """\
# 进程里所有的队列共用一个上下文（context），而 `stop` 会结束它。结束上下文要等上面的所有套接字\
# 都关闭，包括还在工作的其他队列的套接字。所以第一个 `stop` 会一直等着其他所有队列。你结束的上下\
# 文还有谁在用？要么每个队列有自己的上下文，要么只有创建它的人才能结束它。"""
# ///
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context.instance()
        self.socket = self.context.socket(zmq.PUSH)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder

    def put(self, obj: Any) -> None:
        self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))

    def stop(self) -> None:
        self.socket.close()
        self.context.term()


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self.context = zmq.Context.instance()
        self.socket = self.context.socket(zmq.PULL)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.decoder = decoder

    def get(self) -> Any:
        return self.decode(self.get_raw())

    def get_raw(self) -> bytes:
        return self.socket.recv()

    def decode(self, raw: bytes) -> Any:
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def empty(self) -> bool:
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.socket.close()
        self.context.term()
