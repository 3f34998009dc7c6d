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


def after(seconds: float, action: Callable[..., None], *arguments: Any) -> None:
    """Call `action` with the lock held, in about so many seconds. Call this with the lock held."""
    moment = waiting.now() + seconds
    heapq.heappush(_tasks, (moment, next(_order), action, arguments))
    _alarm.set(moment)


def forget() -> None:
    """Deliver nothing more of what is under way."""
    _tasks.clear()


def _run_due() -> float | None:
    """Do what is due; the moment of what comes next."""
    while _tasks and _tasks[0][0] <= waiting.now():
        _, _, action, arguments = heapq.heappop(_tasks)
        action(*arguments)
    return _tasks[0][0] if _tasks else None


_alarm = waiting.Alarm(_run_due, "minisgl-page-zmq")
