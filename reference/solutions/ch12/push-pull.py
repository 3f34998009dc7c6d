"""One message, one receiver: PUSH and PULL queues."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import msgpack
import zmq


def _end(context: zmq.Context, socket: zmq.Socket) -> None:
    socket.close()
    context.term()


class _Queue:
    """A socket on a context of its own, so that stopping one queue touches no other."""

    def __init__(self, kind: int, addr: str, create: bool) -> None:
        context = zmq.Context()
        self._socket = context.socket(kind)
        # Called by `stop`, or when Python collects the queue, whichever comes first. It holds context
        # and socket, so in a reference cycle, too, they outlive the queue. Left to itself, a
        # context of a cycle no longer knows its socket when it is collected, and waits for it for ever.
        self._end = weakref.finalize(self, _end, context, self._socket)
        # By default ZMQ keeps unsent messages for ever, and whoever ends the context waits for them.
        # Said here and not in `stop`: a queue that nobody stops may not block its process either.
        self._socket.linger = 0
        if create:
            self._socket.bind(addr)
        else:
            self._socket.connect(addr)

    def stop(self) -> None:
        self._end()


class ZmqPushQueue(_Queue):
    """Sends each message to one PULL queue."""

    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        super().__init__(zmq.PUSH, addr, create)
        self._encoder = encoder

    def put(self, obj: Any) -> None:
        self._socket.send(msgpack.packb(self._encoder(obj), use_bin_type=True))


class ZmqPullQueue(_Queue):
    """Receives what PUSH queues send."""

    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        super().__init__(zmq.PULL, addr, create)
        self._decoder = decoder

    def get(self) -> Any:
        return self.decode(self.get_raw())

    def get_raw(self) -> bytes:
        return self._socket.recv()

    def decode(self, raw: bytes) -> Any:
        # msgpack itself allows only text and bytes as keys, for fear of costly hashes.
        return self._decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def empty(self) -> bool:
        return not self._socket.poll(timeout=0)
