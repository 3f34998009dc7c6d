"""The one seam to the world's threads: a lock, bells to wait on, a clock, threads, descriptors.

Everything else of this package waits through these names only. A page replaces them before the
backend is imported, with the same behaviour on cooperative threads: `Bell` parks the running
thread, `start` makes a new one, and a `Beacon` is a number that only the page's own selector
knows, which it marks readable, so that zmq.asyncio's `add_reader` works without sockets.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

# One lock for all sockets: a message touches two of them, and a page has one thread at a time.
lock = threading.RLock()
now: Callable[[], float] = time.monotonic


class Bell:
    """What one waiting thread listens to. Ring and wait with `lock` held."""

    def __init__(self) -> None:
        self._condition = threading.Condition(lock)

    def ring(self) -> None:
        self._condition.notify_all()

    def wait(self, seconds: float | None) -> None:
        """Let go of `lock` until the bell rings, or for so many seconds; it may also wake early."""
        self._condition.wait(None if seconds is None else min(seconds, threading.TIMEOUT_MAX))


def start(target: Callable[[], None], name: str) -> threading.Thread:
    """A thread that does not keep the program alive."""
    thread = threading.Thread(target=target, name=name, daemon=True)
    thread.start()
    return thread


class Beacon:
    """A descriptor that polls as readable while it is lit (ZMQ_FD)."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._lit = False
        self.descriptor = self._reader.fileno()

    def light(self) -> None:
        if not self._lit:
            self._lit = True
            self._writer.send(b"!")

    def quench(self) -> None:
        if self._lit:
            self._lit = False
            self._reader.recv(1)

    def close(self) -> None:
        self._reader.close()
        self._writer.close()
