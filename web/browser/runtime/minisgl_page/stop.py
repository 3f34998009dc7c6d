"""Stop: end a program within half a second, whatever it does about it.

The main thread gets a KeyboardInterrupt. If the learner's code swallows it and goes on, it gets
another, and in the end its fiber is abandoned: it steps aside and never runs again. A grader that
tidies up after the first one is left in peace. What never comes back to Python (a long operation of
numpy's) cannot be stopped from in here; then the page ends its worker.
"""

from __future__ import annotations

import time
from types import FrameType

from .errors import Ended
from .frames import Place
from .scheduler import Fiber, Scheduler
from .signals import Signals

AGAIN = 0.12  # seconds until the next interrupt
GRACE = 0.45  # seconds until a fiber that went on is abandoned,
TRIES = 3  # if it has had so many interrupts: on a busy machine it may not have had its turn


class Stop:
    def __init__(self, scheduler: Scheduler, signals: Signals) -> None:
        self._scheduler, self._signals = scheduler, signals
        self._since: float | None = None  # when Stop was asked for
        self._next = 0.0
        self._tries = 0  # interrupts that the main thread has had
        self._ending_since: float | None = None  # when the other threads were told to end

    def reset(self) -> None:
        self._since = self._ending_since = None
        self._tries = 0

    @property
    def requested(self) -> bool:
        return self._since is not None

    def request(self) -> None:
        """Stop the program. More requests change nothing; without a program it does nothing."""
        main = self._scheduler.main
        if self._since is not None or main is None or main.ended:
            return
        self._since = time.monotonic()
        self._interrupt(main)
        self._insist_later()

    def _interrupt(self, main: Fiber) -> None:
        self._next = time.monotonic() + AGAIN
        self._scheduler.interrupt(main, self._hit)

    def _hit(self) -> None:
        self._tries += 1
        self._signals.interrupt(None)

    def _insist_later(self) -> None:
        self._scheduler.timers.after(AGAIN, self._insist, wakes=False)

    def _insist(self) -> None:
        main = self._scheduler.main
        if self._since is None or main is None or main.ended:
            return
        if main.parked and main.place is not None and main.place.by_learner:
            if self._is_over(main):
                self._scheduler.abandon(main)
                return
            self._interrupt(main)
        self._insist_later()

    def check(self, frame: FrameType) -> None:
        """At a tick: throw the running fiber out, if that is its lot. `frame` is interrupted."""
        place = Place(frame)
        if place.importing:
            return
        fiber = self._scheduler.current
        self._scheduler.deliver(fiber)
        is_main = fiber is self._scheduler.main
        if (self._since if is_main else self._ending_since) is None:
            return
        if not place.by_learner:
            return
        if self._is_over(fiber):
            self._scheduler.abandon(fiber)
        if not is_main:
            raise Ended
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + AGAIN
            self._hit()

    def _is_over(self, fiber: Fiber) -> bool:
        if fiber is self._scheduler.main:
            return self._tries >= TRIES and _passed(self._since)
        return _passed(self._ending_since)

    def end_others(self) -> int:
        """End all fibers that are left; call it from the host's. How many had to be abandoned."""
        scheduler = self._scheduler
        self._ending_since = time.monotonic()
        rounds = 0
        while scheduler.fibers and (rounds < TRIES or not _passed(self._ending_since)):
            rounds += 1
            for fiber in list(scheduler.fibers.values()):
                scheduler.throw(fiber, Ended())
            scheduler.give_way()
        left = list(scheduler.fibers.values())
        for fiber in left:
            scheduler.abandon(fiber)
        return len(left)


def _passed(since: float | None) -> bool:
    return since is not None and time.monotonic() - since > GRACE
