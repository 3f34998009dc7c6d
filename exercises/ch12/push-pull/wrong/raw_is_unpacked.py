# /// wrong
# fails = [
#     "test_raw_first_then_decoded",
#     "test_raw_bytes_are_any_bytes",
#     "test_decode_takes_nothing",
# ]
# en = """\
# `get_raw` already unpacks, and `decode` only calls the decoder. Together they give the \
# message, so `get` works. But who forwards a message needs the bytes as they came; from your \
# dict they would have to be packed a second time. Between which two steps does msgpack \
# belong?"""
# zh = """\
# `get_raw` 已经把消息解包了，`decode` 只调用 decoder。两步合起来能得到消息，所以 `get` 没问题。\
# 但转发消息的人需要原样的字节；用你给的字典，就得再打包一次。msgpack 解包应当放在哪一步？"""
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
        return msgpack.unpackb(self.socket.recv(), raw=False, strict_map_key=False)

    def decode(self, raw: bytes) -> Any:
        return self.decoder(raw)

    def empty(self) -> bool:
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.end()
