"""Examinees in this very interpreter: nothing is hidden, limited or safe, but values cross as copies.

For authors at their desk, and for a page, where there are no processes. All roles share one copy of
the learner's module, so what it remembers reaches every role; only a judge finds that.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from judge import wire
from judge.examinee.serve import Examinee
from judge.examiner import problems
from judge.examiner.clock import Clock
from judge.examiner.link import MAX_OUTPUT, Output
from judge.examiner.parts import ExamineeLink
from judge.examiner.replies import Replies
from judge.examiner.submission import Submission
from judge.texts import Text
from judge.verdict import Outcome, SourceLine

# Surrounds the learner's code while it answers one request, and may raise `OutOfTime` in it after
# the given `time.monotonic()` time. Where nothing can, code that does not return is not ended.
Guard = Callable[[float], AbstractContextManager[None]]
# What a page's runtime raises in the learner's code: when nobody can ever go on, and when the browser
# cannot let a program wait at all.
DEADLOCK, CANNOT_WAIT = "Deadlock", "CannotWait"


class OutOfTime(BaseException):
    """Raised by a `Guard`. No `Exception`, so that the learner's `except Exception` lets it pass."""


@contextlib.contextmanager
def unguarded(_deadline: float) -> Iterator[None]:
    """For where the learner's code is trusted to return, or somebody else stops it."""
    yield


class LocalLink:
    """One examinee, asked by a plain call."""

    def __init__(
        self,
        examinee: Examinee,
        submission: Submission,
        classes: list[type],
        test_seconds: float,
        output: Output,
        guard: Guard,
    ) -> None:
        self._examinee = examinee
        self._replies = Replies(submission.display, classes)
        self._test_seconds, self._output, self._guard = test_seconds, output, guard
        # Whether it was interrupted: what it was doing is half done, so it is not used again.
        self.broken = False

    def ask(self, deadline: float, op: str, **fields: Any) -> Any:
        """One request and its value. Raises `LearnerProblem`; `KeyboardInterrupt` for whoever stops it."""
        structure, attachments = _frame(self._replies.request(op, fields))
        try:
            with self._guard(deadline):
                reply = self._examinee.answer(structure, attachments)
            value = self._replies.value(self._replies.decode(*_frame(reply)))
        except OutOfTime:
            self.broken = True
            raise problems.timeout(self._test_seconds, None) from None
        except problems.LearnerRaised as raised:
            raise self._meaning(raised, deadline) from None
        except wire.WireError as error:
            raise problems.Forged(str(error)) from None
        if self._output.flooded:
            raise problems.flood(MAX_OUTPUT)
        if time.monotonic() > deadline:
            raise problems.timeout(self._test_seconds, None)
        return value

    def _meaning(self, raised: problems.LearnerRaised, deadline: float) -> BaseException:
        """What the learner's code raised, if it was not this interpreter that made it raise.

        All that is known of an exception is its names, so a learner's own KeyboardInterrupt is taken
        for Stop here.
        """
        interrupted = {KeyboardInterrupt.__name__, OutOfTime.__name__, DEADLOCK} & set(raised.bases)
        self.broken = self.broken or bool(interrupted)
        if KeyboardInterrupt.__name__ in interrupted:
            return KeyboardInterrupt(raised.line)
        if self._output.flooded:
            return problems.flood(MAX_OUTPUT)
        if OutOfTime.__name__ in interrupted:
            return problems.timeout(self._test_seconds, raised.line)
        if DEADLOCK in interrupted:
            said = raised.said or Text(raised.message, raised.message)
            return problems.deadlock(said, raised.line)
        if CANNOT_WAIT in raised.bases and raised.said is not None:
            return problems.LearnerProblem(Outcome.ERROR, raised.said, raised.line)
        if time.monotonic() > deadline:
            return problems.timeout(self._test_seconds, raised.line)
        return raised

    def descriptors(self) -> list[int]:
        """Nothing: it lives as long as the examiner."""
        return []

    def attend(self) -> None:
        """Nothing to do: it cannot end by itself."""


def _frame(data: bytes) -> tuple[bytes, bytes]:
    reader = wire.FrameReader()
    reader.feed(data)
    frame = reader.next_frame()
    if frame is None:
        raise problems.Forged("half a frame")
    return frame


class LocalGrading:
    """Hands out examinees by role around one loaded module, which is loaded anew once it is broken."""

    def __init__(
        self, submission: Submission, clock: Clock, classes: list[type], guard: Guard = unguarded
    ) -> None:
        self.clock, self.output = clock, Output()
        self.running: list[Any] = []
        self._submission, self._classes, self._guard = submission, classes, guard
        self._first: Examinee | None = None
        self._links: dict[str, LocalLink] = {}

    def load(self) -> None:
        """Load the learner's module. Raises `LearnerProblem` if it does not load."""
        self.unload()
        self._first = Examinee()
        link = self._link_to(self._first)
        self._submission.load(partial(link.ask, self.clock.deadline))

    def unload(self) -> None:
        """Forget the learner's module, and what tests have put beside it."""
        self._links.clear()
        self.running.clear()
        if self._first is not None:
            self._first.unload()
            self._first = None

    def start_test(self) -> None:
        """Begin a new test, with nothing left in the examinees. Raises `LearnerProblem`."""
        self.clock.start_test()
        self.running.clear()
        if self._first is None or not all(self._is_clean(link) for link in self._links.values()):
            self.load()

    def _is_clean(self, link: LocalLink) -> bool:
        if link.broken:
            return False
        try:
            return link.ask(self.clock.deadline, "reset") is True
        except problems.LearnerProblem:
            return False

    def _link_to(self, examinee: Examinee) -> LocalLink:
        return LocalLink(
            examinee,
            self._submission,
            self._classes,
            self.clock.test_seconds,
            self.output,
            self._guard,
        )

    def link(self, role: str) -> LocalLink:
        """The examinee of that role, with nothing left in it from an earlier test."""
        if role not in self._links:
            if self._first is None:
                raise RuntimeError("no submission is loaded")
            link = self._links[role] = self._link_to(self._first.beside())
            link.ask(self.clock.deadline, "reset")
        return self._links[role]

    def live_links(self) -> Sequence[ExamineeLink]:
        """None: no examinee is a process that could end meanwhile."""
        return ()

    def raise_if_failed(self) -> None:
        """Raise what a started probe of this test raised, if one has: no need to wait for the limit."""
        for running in self.running:
            running.raise_if_failed()

    def where(self) -> SourceLine | None:
        """The line of the learner's file at which any other thread stands, or None."""
        here, lines = threading.get_ident(), self._submission.source.splitlines()
        for thread, frame in sys._current_frames().items():
            while thread != here and frame is not None:
                number = frame.f_lineno or 0
                if frame.f_code.co_filename == self._submission.display and number <= len(lines):
                    return SourceLine(number, lines[number - 1].strip())
                frame = frame.f_back
        return None
