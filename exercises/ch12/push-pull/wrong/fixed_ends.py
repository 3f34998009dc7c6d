# /// wrong
# fails = [
#     "test_raw_first_then_decoded",
#     "test_empty_takes_nothing",
#     "test_get_unpacks_and_decodes",
#     "test_numbers_as_keys",
#     "test_raw_bytes_are_any_bytes",
#     "test_decode_takes_nothing",
#     "test_put_waits_for_a_receiver",
#     "test_empty_does_not_wait",
#     "test_empty_is_true_or_false",
#     "test_stop_harms_no_other",
# ]
# en = """\
# The receiver always binds and the sender always connects, whatever `create` says. That is a \
# frequent arrangement, but who binds is for the caller to decide: one side of an address must \
# make it, and the other must find it. If both bind, the second takes the address away from \
# the first; if both connect, both wait for ever. What does each class do with `create`?"""
# zh = """\
# 不管 `create` 是什么，接收者总是绑定（bind），发送者总是连接（connect）。这样安排很常见，但\
# 由谁绑定应当由调用者决定：一个地址，必须一方创建，另一方去找。如果两边都绑定，后来的会抢走先\
# 来的地址；如果两边都连接，就会一直等下去。这两个类各自是怎样使用 `create` 的？"""
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
        self.socket.bind(addr)
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
