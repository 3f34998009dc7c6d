"""The clock's tick: a fiber that computes gives way to the others, and can be stopped.

Whoever owns the other side of the interrupt buffer writes SIGALRM into it every few milliseconds
(see `host.mjs`). Python calls `_tick` between two of its instructions, wherever it is; a fiber steps
aside there only if that line is the learner's and no code of this runtime stands further out on its
stack, waiting to go on. So the runtime's own code is never torn apart.
"""

from __future__ import annotations

import signal
from types import CodeType, FrameType

from . import frames
from .frames import Owner
from .scheduler import Scheduler
from .signals import Signals
from .stop import Stop

# Where fibers begin: frames of ours that only call others' code, and hold nothing meanwhile.
_BEGINNINGS = frozenset({frames.FIBERS_BEGINNING, "start_new_thread.<locals>.body"})
_BEGINNING_MODULE = "minisgl_page.session"


class Preemption:
    """SIGALRM is a tick of the clock, SIGINT a request to stop."""

    def __init__(self, scheduler: Scheduler, stop: Stop, signals: Signals) -> None:
        self._scheduler, self._stop = scheduler, stop
        signals.own(signal.SIGALRM, self._tick)
        signals.own(signal.SIGINT, self._tick)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        scheduler = self._scheduler
        scheduler.turn_is_due = True
        if number == signal.SIGINT:
            self._stop.request()
        fiber = scheduler.current
        if frame is None or fiber is scheduler.host or fiber.parked or inside_runtime(frame):
            return
        scheduler.before_rest()
        self._stop.check(frame)
        if frames.owner(frame) is Owner.LEARNER and scheduler.switching.can_step_aside():
            scheduler.give_way()
            self._stop.check(frame)


def inside_runtime(frame: FrameType) -> bool:
    """Whether code of this runtime is at work on this stack."""
    if frames.owner(frame) is Owner.RUNTIME:
        return True
    asked: CodeType | None = None
    for each in frames.outward(frame):
        if each.f_code is asked:
            continue  # it calls itself: a deep stack is mostly this
        asked = each.f_code
        if frames.owner(each) is Owner.RUNTIME:
            return not (
                each.f_code.co_qualname in _BEGINNINGS
                or each.f_globals["__name__"] == _BEGINNING_MODULE
            )
    return False
