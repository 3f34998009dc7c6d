"""One message, one receiver.

Differs: all queues share the process's context, and therefore none of them ends it; `empty` reads
the socket's own state; the bytes go out as the only frame of a multipart message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import zmq


def open_socket(kind: int, addr: str, create: bool) -> zmq.Socket:
    socket = zmq.Context.instance().socket(kind)
    socket.setsockopt(zmq.LINGER, 0)
    if create:
        socket.bind(addr)
    else:
        socket.connect(addr)
    return socket


class ZmqPushQueue:
    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        self._encode = encoder
        self._push = open_socket(zmq.PUSH, addr, create)

    def put(self, obj: Any) -> None:
        data = self._encode(obj)
        self._push.send_multipart([msgpack.dumps(data, use_bin_type=True)])

    def stop(self) -> None:
        self._push.close(linger=0)


class ZmqPullQueue:
    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        self._decode = decoder
        self._pull = open_socket(zmq.PULL, addr, create)

    def empty(self) -> bool:
        return not self._pull.getsockopt(zmq.EVENTS) & zmq.POLLIN

    def get_raw(self) -> bytes:
        (raw,) = self._pull.recv_multipart()
        return raw

    def decode(self, raw: bytes) -> Any:
        return self._decode(msgpack.loads(raw, raw=False, strict_map_key=False))

    def get(self) -> Any:
        raw = self.get_raw()
        return self.decode(raw)

    def stop(self) -> None:
        self._pull.close(linger=0)
