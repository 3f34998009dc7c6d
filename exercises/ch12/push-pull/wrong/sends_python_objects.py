# /// wrong
# fails = [
#     "test_put_sends_msgpack",
#     "test_raw_first_then_decoded",
#     "test_empty_takes_nothing",
#     "test_text_and_bytes_are_told_apart",
#     "test_get_unpacks_and_decodes",
#     "test_numbers_as_keys",
#     "test_decode_takes_nothing",
#     "test_two_queues_side_by_side",
#     "test_put_waits_for_a_receiver",
#     "test_get_waits_for_a_message",
#     "test_stop_harms_no_other",
# ]
# en = """\
# `send_pyobj` and `recv_pyobj` are convenient, but they use pickle, not msgpack. The other \
# side of a queue need not be Python code of yours, so the format is agreed: msgpack. And \
# whoever unpickles bytes from elsewhere runs whatever the sender has put in. Where does your \
# code turn the dict into bytes, and by which library?"""
# zh = """\
# `send_pyobj` 和 `recv_pyobj` 很方便，但它们用的是 pickle，不是 msgpack。队列的另一边不一定是\
# 你的 Python 代码，所以格式是约定好的：msgpack。而且，用 pickle 解开别处来的字节，等于执行发\
# 送者放进去的任何东西。你的代码在哪里把字典变成字节？用的是哪个库？"""
# ///
from __future__ import annotations

import pickle
import weakref
from collections.abc import Callable
from typing import Any

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
        self.socket.send_pyobj(self.encoder(obj))

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
        return self.decoder(self.socket.recv_pyobj())

    def get_raw(self) -> bytes:
        return self.socket.recv()

    def decode(self, raw: bytes) -> Any:
        return self.decoder(pickle.loads(raw))

    def empty(self) -> bool:
        return self.socket.poll(timeout=0) == 0

    def stop(self) -> None:
        self.end()
