"""One publisher, many subscribers, and nobody misses a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import zmq


class _Queue:
    """A socket on a context of its own, so that stopping one queue touches no other."""

    def __init__(self, kind: int, options: dict[int, int | bytes], addr: str, create: bool) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(kind)
        # By default ZMQ keeps unsent messages for ever, and closing waits until they are gone.
        self._socket.linger = 0
        # Before bind: XPUB must be verbose, and without a limit, when the first subscriber comes.
        for option, value in options.items():
            self._socket.setsockopt(option, value)
        if create:
            self._socket.bind(addr)
        else:
            self._socket.connect(addr)

    def stop(self) -> None:
        self._socket.close()
        self._context.term()


class ZmqPubQueue(_Queue):
    """Sends each message to every subscriber that it has waited for."""

    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        # XPUB hears of subscriptions; VERBOSE: also of one that equals an earlier subscriber's.
        # No high-water mark: a full publisher would drop messages without a word.
        super().__init__(zmq.XPUB, {zmq.XPUB_VERBOSE: 1, zmq.SNDHWM: 0}, addr, create)
        self._encoder = encoder
        self._subscribed = 0

    def wait_for_subscribers(self, n: int) -> None:
        """Return as soon as `n` subscriptions have arrived since the queue was made."""
        while self._subscribed < n:
            # b"\x01" and a topic subscribes; b"\x00" and a topic is a farewell.
            self._subscribed += self._socket.recv().startswith(b"\x01")

    def put(self, obj: Any) -> None:
        self.put_raw(msgpack.packb(self._encoder(obj), use_bin_type=True))

    def put_raw(self, raw: bytes) -> None:
        self._socket.send(raw)


class ZmqSubQueue(_Queue):
    """Receives everything that a publisher sends."""

    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        super().__init__(zmq.SUB, {zmq.SUBSCRIBE: b""}, addr, create)
        self._decoder = decoder

    def get(self) -> Any:
        return self._decoder(msgpack.unpackb(self._socket.recv(), raw=False, strict_map_key=False))

    def empty(self) -> bool:
        return not self._socket.poll(timeout=0)
