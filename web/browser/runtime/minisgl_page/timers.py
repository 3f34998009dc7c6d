"""Things to do at a moment: one heap for all of them, so the page needs only one alarm."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable

_FEW = 64  # cancelled timers that may stay on the heap before it is swept


class Timer:
    __slots__ = ("action", "deadline", "wakes")

    def __init__(self, deadline: float, action: Callable[[], None], wakes: bool) -> None:
        self.deadline = deadline
        self.action: Callable[[], None] | None = action  # None once it is done or cancelled
        self.wakes = wakes


class Timers:
    """`arm(seconds)` is called when the earliest moment has changed. Times are `time.monotonic`."""

    def __init__(self, arm: Callable[[float], None]) -> None:
        self._arm = arm
        self._heap: list[tuple[float, int, Timer]] = []
        self._order = itertools.count()
        self._cancelled = 0
        self.wakers = 0  # timers that may let a waiting fiber go on
        self._armed: float | None = None  # the moment that the alarm is set to

    def after(self, seconds: float, action: Callable[[], None], wakes: bool = True) -> Timer:
        """Call `action` then. With `wakes` false it only watches: nobody waits for it."""
        timer = Timer(time.monotonic() + max(0.0, seconds), action, wakes)
        self.wakers += wakes
        heapq.heappush(self._heap, (timer.deadline, next(self._order), timer))
        self._set_alarm()
        return timer

    def cancel(self, timer: Timer) -> None:
        if timer.action is None:
            return
        timer.action = None
        self.wakers -= timer.wakes
        self._cancelled += 1
        if self._cancelled > max(_FEW, len(self._heap) // 2):
            self._heap = [entry for entry in self._heap if entry[2].action is not None]
            heapq.heapify(self._heap)
            self._cancelled = 0

    def clear(self) -> None:
        for _, _, timer in self._heap:
            timer.action = None
        self._heap.clear()
        self._cancelled = self.wakers = 0

    def next_deadline(self) -> float | None:
        heap = self._heap
        while heap and heap[0][2].action is None:
            heapq.heappop(heap)
            self._cancelled -= 1
        return heap[0][0] if heap else None

    def run_due(self) -> bool:
        """Do what is due. Whether anything was."""
        done = False
        now = time.monotonic()
        while (deadline := self.next_deadline()) is not None and deadline <= now:
            _, _, timer = heapq.heappop(self._heap)
            action, timer.action = timer.action, None
            if action is not None:
                self.wakers -= timer.wakes
                done = True
                action()
        return done

    def alarm_rang(self) -> None:
        self._armed = None
        self.run_due()
        self._set_alarm()

    def _set_alarm(self) -> None:
        deadline = self.next_deadline()
        if deadline is not None and (self._armed is None or deadline < self._armed):
            self._armed = deadline
            self._arm(max(0.0, deadline - time.monotonic()))
