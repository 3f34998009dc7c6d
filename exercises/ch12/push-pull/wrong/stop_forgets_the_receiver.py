# /// wrong
# fails = ["test_stop_closes"]
# en = """\
# The sender's `stop` is right, but the receiver's does nothing: a receiver has no unsent \
# messages, so it seemed to have nothing to end. Its socket stays bound all the same, and so \
# others go on sending to a queue that nobody reads. What has the constructor made that must \
# be closed again?"""
# zh = """\
# 发送方的 `stop` 没问题，接收方的 `stop` 却什么也不做：接收者没有未发出的消息，看上去没有什么\
# 要结束的。可是它的套接字仍然绑定着地址，别人会继续向一个没人读的队列发送。构造函数里创建的东\
# 西，有哪些必须再关闭？"""
# ///
from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


def end(context: zmq.Context, socket: zmq.Socket) -> None:
    socket.close()
    context.term()


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        context = zmq.Context()
        self.socket = context.socket(zmq.PUSH)
        self.end = weakref.finalize(self, end, context, self.socket)
        self.socket.setsockopt(zmq.LINGER, 0)
        if create:
            self.socket.bind(addr)
        else:
            self.socket.connect(addr)
        self.encoder = encoder

    def put(self, obj: Any) -> None:
        self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=True))

    def stop(self) -> None:
        self.end()


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        context = zmq.Context()
        self.socket = context.socket(zmq.PULL)
        self.end = weakref.finalize(self, end, context, self.socket)
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
        pass
