"""What libzmq's I/O thread does: things that happen a moment later, whoever is waiting.

A connection takes a moment to come about, and a subscription a moment to arrive. Without these
delays a program that publishes too early would work here and lose its messages on libzmq.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import Any

from . import waiting

HANDSHAKE = 0.001  # seconds from connecting to an address until both sides know each other
SUBSCRIPTION = 0.0002  # seconds from a subscription until the publisher's side hears of it

_tasks: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
_order = itertools.count()
_bell = waiting.Bell()
_thread: Any = None


def after(seconds: float, action: Callable[..., None], *arguments: Any) -> None:
    """Call `action` with the lock held, in about so many seconds. Call this with the lock held."""
    global _thread
    heapq.heappush(_tasks, (waiting.now() + seconds, next(_order), action, arguments))
    if _thread is None or not _thread.is_alive():  # not yet, or left behind by a fork
        _thread = waiting.start(_run, "minisgl-page-zmq")
    _bell.ring()


def _run() -> None:
    with waiting.lock:
        while True:
            while _tasks and _tasks[0][0] <= waiting.now():
                _, _, action, arguments = heapq.heappop(_tasks)
                action(*arguments)
            # With nothing to do it waits without a limit, so a page can tell a deadlock.
            _bell.wait(max(0.0, _tasks[0][0] - waiting.now()) if _tasks else None)
