"""Fibers: who runs, who waits, and who is woken.

One fiber runs at a time, until it parks, gives way or ends. Code of this package and of the ZMQ
backend is never interrupted by another fiber (see `preemption`), so it needs no locks.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from pyodide.ffi import create_proxy

from .bridge import bridge
from .frames import Place
from .switching import Gate, NoSwitching, StackSwitching, Switching
from .timers import Timers

FIRST_IDENT = 1001


class Fiber:
    """One thread of Python, with a stack of its own."""

    __slots__ = (
        "abandoned",
        "ended",
        "gate",
        "ident",
        "loop",
        "parked",
        "pending",
        "place",
        "rung",
        "timed",
        "woken",
    )

    def __init__(self, ident: int) -> None:
        self.ident = ident
        self.gate: Gate | None = None
        self.parked = False
        self.timed = False
        self.woken = False  # parked, and about to run again
        self.rung = False  # woken by somebody, not by its time limit
        self.pending: Callable[[], None] | None = None  # called in it as soon as that may be
        self.place: Place | None = None  # where it is parked
        self.loop: Any = None  # the event loop that runs in it
        self.ended = False
        self.abandoned = False  # stepped aside for ever

    @property
    def stuck(self) -> bool:
        """Waits, and only another fiber can wake it."""
        return self.parked and not self.woken and not self.timed


class Scheduler:
    """`look_for_deadlock` is called whenever a fiber may have been the last that could run."""

    def __init__(self) -> None:
        self.timers = Timers(lambda seconds: bridge.set_alarm(seconds * 1000))
        self.switching: Switching = (
            StackSwitching() if bridge.stack_switching else NoSwitching(self.timers)
        )
        self.host = Fiber(0)  # the page's own call, in which no code of a learner's runs
        self.current = self.host
        self.main: Fiber | None = None
        self.fibers: dict[int, Fiber] = {}  # those of the program, which have not ended
        self.turn_is_due = False
        self.look_for_deadlock: Callable[[], None] = lambda: None
        self.before_rest: Callable[[], None] = lambda: None
        self._idents = itertools.count(FIRST_IDENT)
        bridge.on_alarm(create_proxy(self._alarm))

    # Beginning and ending

    def begin(self, body: Callable[[], None], ident: int) -> Fiber:
        """The main thread of a program. Call this from the host's fiber."""
        self.timers.clear()
        self.fibers.clear()
        self.main = Fiber(ident)
        return self._start(self.main, body)

    def start(self, body: Callable[[], None]) -> Fiber:
        """A new fiber; it runs when the running one steps aside. `body` must not raise."""
        return self._start(Fiber(next(self._idents)), body)

    def finish(self) -> None:
        """No program runs any more."""
        self.main = None
        self.current = self.host
        self.timers.clear()

    def _start(self, fiber: Fiber, body: Callable[[], None]) -> Fiber:
        self.fibers[fiber.ident] = fiber

        def run() -> None:
            before, self.current = self.current, fiber
            asyncio._set_running_loop(None)
            try:
                body()
            finally:
                self._end(fiber)
                self.current = before

        self.switching.start(run)
        return fiber

    def _end(self, fiber: Fiber) -> None:
        fiber.ended = True
        if self.fibers.get(fiber.ident) is fiber:
            del self.fibers[fiber.ident]
        if fiber is self.main:
            self.wake(self.host)
        self.look_for_deadlock()

    def abandon(self, fiber: Fiber) -> None:
        """Take `fiber` for ended: it will not run again. If it is the running one, this call does
        not return (where stacks can be switched)."""
        fiber.abandoned = True
        self._end(fiber)
        if fiber is self.current and not fiber.parked:
            self.switching.abandon()

    # Waiting

    def park(self, seconds: float | None = None, frame: FrameType | None = None) -> bool:
        """Wait for `wake`, or for so many seconds. Whether it was woken.

        `frame` is the caller, for whoever wants to know where the fiber waits. Raises what was
        thrown into the fiber meanwhile; CannotWait where nothing can wait.
        """
        me = self.current
        self.deliver(me)
        deadline = None if seconds is None else time.monotonic() + seconds
        me.place, me.loop, me.rung = Place(frame), asyncio._get_running_loop(), False
        try:
            while True:
                left = None if deadline is None else deadline - time.monotonic()
                self._park(me, left)
                if me.pending is None:
                    return me.rung
                self.deliver(me)
                if me.rung or (deadline is not None and time.monotonic() >= deadline):
                    return me.rung
        finally:
            me.place = me.loop = None

    def _park(self, me: Fiber, seconds: float | None) -> None:
        me.woken = False
        me.parked = True
        me.timed = seconds is not None
        timer = None
        if seconds is not None:
            timer = self.timers.after(seconds, lambda: self._wake(me))
        elif me is not self.host:
            self.look_for_deadlock()
        self.before_rest()
        try:
            if not me.woken:
                turn_first, self.turn_is_due = self.turn_is_due, False
                self.switching.suspend(me, turn_first)
        finally:
            self._go_on(me)
            me.parked = False
            if timer is not None:
                self.timers.cancel(timer)

    def give_way(self) -> None:
        """Let others run, and the page's events be heard."""
        me = self.current
        self.turn_is_due = False
        self.before_rest()
        try:
            self.switching.turn()
        finally:
            self._go_on(me)
        self.deliver(me)

    def wake(self, fiber: Fiber) -> bool:
        """End the wait of `fiber`. False if it does not wait, or is woken already."""
        if fiber.place is not None and not fiber.parked:  # it only handles an interrupt meanwhile
            fiber.rung = True
            return True
        if self._wake(fiber):
            fiber.rung = True
            return True
        return False

    def throw(self, fiber: Fiber, error: BaseException) -> None:
        """Raise `error` in `fiber`: now if it waits, else as soon as it parks or is pre-empted."""

        def raise_error() -> None:
            raise error

        self.interrupt(fiber, raise_error)

    def interrupt(self, fiber: Fiber, action: Callable[[], None]) -> None:
        """Call `action` in `fiber`, likewise. If it does not raise, the fiber waits on."""
        fiber.pending = action
        self._wake(fiber)

    def deliver(self, fiber: Fiber) -> None:
        """Call what is pending for `fiber`, in it."""
        if fiber.pending is not None:
            action, fiber.pending = fiber.pending, None
            action()

    def _wake(self, fiber: Fiber) -> bool:
        if not fiber.parked or fiber.woken or fiber.abandoned:
            return False
        fiber.woken = True
        self.switching.resume(fiber)
        return True

    def _go_on(self, fiber: Fiber) -> None:
        if fiber.abandoned:  # by somebody else, while it was aside
            self.switching.abandon()
        self.current = fiber

    def _alarm(self) -> None:
        self.timers.alarm_rang()
        if not self.timers.wakers:
            self.look_for_deadlock()


scheduler = Scheduler()
