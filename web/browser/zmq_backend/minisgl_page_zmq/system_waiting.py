"""Waiting where there are threads and sockets: on CPython."""

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


class Alarm:
    """Calls `run` with `lock` held at the moments it is set to, and at those that `run` returns."""

    def __init__(self, run: Callable[[], float | None], name: str) -> None:
        self._run, self._name = run, name
        self._bell = Bell()
        self._thread: threading.Thread | None = None

    def set(self, moment: float) -> None:
        """Call this with `lock` held. `moment` is on the clock `now`."""
        if self._thread is None or not self._thread.is_alive():  # not yet, or left by a fork
            self._thread = threading.Thread(target=self._wait, name=self._name, daemon=True)
            self._thread.start()
        self._bell.ring()

    def _wait(self) -> None:
        with lock:
            while True:
                moment = self._run()
                self._bell.wait(None if moment is None else max(0.0, moment - now()))


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
