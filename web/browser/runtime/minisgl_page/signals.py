"""SIGINT and SIGALRM belong to the page. A program's own handlers for them are noted, not installed.

So a program may ask who handles SIGINT and set a handler, as `asyncio.run` does to cancel its task,
and Stop still works (see `stop`). `signal.alarm` and `signal.setitimer`, which Pyodide lacks, are here:
the program's handler for SIGALRM is called in the main thread, also while that waits.
"""

from __future__ import annotations

import os
import signal
import time
from types import FrameType
from typing import Any

from .scheduler import Scheduler
from .timers import Timer

ITIMER_REAL = 0
ALARMED = 128 + signal.SIGALRM  # the exit code where nobody handles it, as a shell says it
_OURS = (signal.SIGALRM, signal.SIGINT)


class Signals:
    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._timer: Timer | None = None
        self._interval = 0.0
        self._noted: dict[int, Any] = {}
        self._set, self._get = signal.signal, signal.getsignal
        signal.signal, signal.getsignal = self.signal, self.getsignal
        vars(signal).update(
            ITIMER_REAL=ITIMER_REAL,
            alarm=self.alarm,
            getitimer=self.getitimer,
            setitimer=self.setitimer,
        )

    def own(self, number: int, handler: Any) -> None:
        """The page's handler; it stays."""
        self._set(number, handler)

    def signal(self, number: int, handler: Any, /) -> Any:
        if number not in _OURS:
            return self._set(number, handler)
        before = self.getsignal(number)
        self._noted[number] = handler
        return before

    def getsignal(self, number: int, /) -> Any:
        if number not in _OURS:
            return self._get(number)
        default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        return self._noted.get(number, default)

    def interrupt(self, frame: FrameType | None) -> None:
        """What Ctrl-C does in the main thread: the program's handler, or KeyboardInterrupt."""
        handler = self.getsignal(signal.SIGINT)
        if callable(handler) and handler is not signal.default_int_handler:
            handler(signal.SIGINT, frame)
        else:
            raise KeyboardInterrupt

    def forget(self) -> None:
        """Keep no handler and no alarm of a program's."""
        self._noted.clear()
        self._set_timer(0.0)

    # The alarm

    def alarm(self, seconds: int, /) -> int:
        before, _ = self.setitimer(ITIMER_REAL, seconds)
        return -int(-before // 1)

    def getitimer(self, which: int, /) -> tuple[float, float]:
        if which != ITIMER_REAL:
            raise ValueError("a web page has only ITIMER_REAL")
        if self._timer is None or self._timer.action is None:
            return 0.0, 0.0
        return max(0.0, self._timer.deadline - time.monotonic()), self._interval

    def setitimer(
        self, which: int, seconds: float, interval: float = 0.0, /
    ) -> tuple[float, float]:
        before = self.getitimer(which)
        self._interval = interval
        self._set_timer(seconds)
        return before

    def _set_timer(self, seconds: float) -> None:
        if self._timer is not None:
            self._scheduler.timers.cancel(self._timer)
        self._timer = self._scheduler.timers.after(seconds, self._ring) if seconds else None

    def _ring(self) -> None:
        self._set_timer(self._interval)
        if self._scheduler.main is not None:
            self._scheduler.interrupt(self._scheduler.main, self._handle_alarm)

    def _handle_alarm(self) -> None:
        handler = self.getsignal(signal.SIGALRM)
        if callable(handler):
            handler(signal.SIGALRM, None)
        elif handler != signal.SIG_IGN:
            os._exit(ALARMED)
