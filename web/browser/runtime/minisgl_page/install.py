"""Put the page's threads, clock, sockets and event loops in place of Python's, once at start-up.

This must happen before anything else is imported that keeps a lock or a thread-local value.
"""

from __future__ import annotations

import os

from . import deadlock, loop, recursion, sockets, threads, tracebacks
from .bridge import bridge
from .preemption import Preemption
from .scheduler import scheduler
from .signals import Signals
from .stop import Stop

ZMQ_BACKEND = "minisgl_page_zmq"


def install() -> tuple[Stop, Signals]:
    """Call this once. What it gives knows how to stop a run, and which handlers it has set."""
    os.environ["PYZMQ_BACKEND"] = ZMQ_BACKEND
    threads.install()
    sockets.install()
    loop.install()
    tracebacks.install()
    recursion.install()
    if bridge.stack_switching:  # else a wait that cannot end is refused as it begins
        deadlock.watch(scheduler)
    signals = Signals(scheduler)
    stop = Stop(scheduler, signals)
    Preemption(scheduler, stop, signals)
    return stop, signals
