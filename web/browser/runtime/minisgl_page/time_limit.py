"""A deadline for the code of a learner's that the main thread runs."""

from __future__ import annotations

import time
from types import TracebackType

from .scheduler import Scheduler
from .timers import Timer

AGAIN = 0.12  # seconds until the next try, if the code has caught the error and goes on


class TimeLimit:
    """Inside, raises `error` in the main thread once the `time.monotonic` time `deadline` is over."""

    def __init__(self, scheduler: Scheduler, deadline: float, error: type[BaseException]) -> None:
        self._scheduler, self._deadline, self._error = scheduler, deadline, error
        self._timer: Timer | None = None

    def __enter__(self) -> None:
        self._set(self._deadline - time.monotonic())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._scheduler.timers.cancel(self._timer)
        main = self._scheduler.main
        if main is not None and main.pending == self._raise:
            main.pending = None  # it came too late: the code has returned

    def _set(self, seconds: float) -> None:
        self._timer = self._scheduler.timers.after(seconds, self._end, wakes=False)

    def _end(self) -> None:
        main = self._scheduler.main
        if main is not None:
            self._scheduler.interrupt(main, self._raise)
            self._set(AGAIN)

    def _raise(self) -> None:
        raise self._error
