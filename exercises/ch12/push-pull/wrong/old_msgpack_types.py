# /// wrong
# fails = ["test_text_and_bytes_are_told_apart"]
# en = """\
# The old msgpack format has one type for text and bytes alike. You pack with \
# `use_bin_type=False`, so a tensor's buffer looks like text when it arrives, and unpacking it \
# as UTF-8 fails or gives nonsense. With `use_bin_type=True` both keep their own type. What \
# does msgpack do if you leave the argument out?"""
# zh = """\
# 旧的 msgpack 格式里，文本和字节是同一种类型。你用 `use_bin_type=False` 打包，张量的缓冲区到\
# 了对面看起来就像文本，按 UTF-8 解开要么报错，要么是乱码。用 `use_bin_type=True`，两者各有自\
# 己的类型。如果不写这个参数，msgpack 会怎么做？"""
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
        self.socket.send(msgpack.packb(self.encoder(obj), use_bin_type=False))

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
        self.end()
