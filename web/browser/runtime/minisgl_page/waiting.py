"""How the ZMQ backend waits in a page; see `minisgl_page_zmq.waiting` for what each name must do."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from .descriptors import Descriptor
from .scheduler import Fiber, scheduler
from .timers import Timer

now: Callable[[], float] = time.monotonic


class _NoLock:
    """Nobody else runs while the backend's code does, so there is nothing to lock."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        pass


lock = _NoLock()


class Bell:
    def __init__(self) -> None:
        self._listener: Fiber | None = None

    def ring(self) -> None:
        if self._listener is not None:
            scheduler.wake(self._listener)

    def wait(self, seconds: float | None) -> None:
        self._listener = scheduler.current
        try:
            scheduler.park(seconds, sys._getframe())
        finally:
            self._listener = None


class Alarm:
    def __init__(self, run: Callable[[], float | None], _name: str) -> None:
        self._run = run
        self._timer: Timer | None = None

    def set(self, moment: float) -> None:
        if self._timer is not None and self._timer.action is not None:
            if self._timer.deadline <= moment:
                return
            scheduler.timers.cancel(self._timer)
        self._timer = scheduler.timers.after(moment - now(), self._ring)

    def _ring(self) -> None:
        self._timer = None
        moment = self._run()
        if moment is not None:
            self.set(moment)


class Beacon:
    def __init__(self) -> None:
        self._descriptor = Descriptor()
        self.descriptor = self._descriptor.number
        self.light = self._descriptor.light
        self.quench = self._descriptor.quench
        self.close = self._descriptor.close
