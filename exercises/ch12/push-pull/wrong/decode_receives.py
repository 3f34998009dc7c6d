# /// wrong
# fails = [
#     "test_raw_first_then_decoded",
#     "test_decode_takes_nothing",
#     "test_numbers_as_keys",
#     "test_order_is_kept",
# ]
# en = """\
# `decode` does not look at the bytes it is given: it receives the next message and decodes \
# that. After `get_raw` has taken the only message, it waits for ever; if there is one more, \
# it returns the wrong one and the first is lost. Which of the methods may touch the socket, \
# and which needs nothing but its argument?"""
# zh = """\
# `decode` 根本没有看交给它的字节，而是去接收下一条消息，再把那条解码。`get_raw` 取走唯一的消\
# 息之后，它就一直等下去；如果后面还有消息，它返回的是另一条，前一条就丢了。哪些方法可以动套接\
# 字？哪个方法只需要它的参数？"""
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
        return self.decode(b"")

    def get_raw(self) -> bytes:
        return self.socket.recv()

    def decode(self, raw: bytes) -> Any:
        return self.decoder(msgpack.unpackb(self.socket.recv(), raw=False, strict_map_key=False))

    def empty(self) -> bool:
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.end()
