"""A warm `Judge` that several threads use and that Ctrl-C ends within moments."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from judge.catalog import Exercise
from judge.cli.interrupts import no_interrupts
from judge.grade import Judge, Suite
from judge.verdict import Verdict

Result = TypeVar("Result")


class Stopped(Exception):
    """The bench is being closed; nothing more is graded."""


class Bench:
    """Grades like `Judge`. Work with it inside `wait_for`, so that an interrupt can end it."""

    def __init__(self) -> None:
        # Ctrl-C reaches the whole process group. What the judge starts must leave it to this process,
        # from its first moment on, or it dies with a traceback while it still imports.
        with no_interrupts():
            self._judge = Judge()
        self._stopping = False

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        with no_interrupts():
            self._judge.close()

    @property
    def isolation(self) -> str:
        return self._judge.isolation

    def grade(self, exercise: Exercise, source: str | bytes, suite: Suite = "all", **more: Any) -> Verdict:
        """As `Judge.grade`. Raises `Stopped` after an interrupt."""
        if self._stopping:
            raise Stopped
        verdict = self._judge.grade(exercise, source, suite, **more)
        if self._stopping:
            raise Stopped
        return verdict

    def wait_for(self, work: Callable[[], Result]) -> Result:
        """Run `work` in a thread and wait. When an interrupt comes instead, end the gradings first."""
        running: Future[Result] | None = None
        with ThreadPoolExecutor(1) as pool:
            try:
                running = pool.submit(work)
                return running.result()
            except BaseException:
                self._stop(running)
                raise

    def _stop(self, running: Future[Any] | None) -> None:
        """Close the judge until no grading is left: one that was just beginning may have revived it."""
        with no_interrupts():
            self._stopping = True
            while running is not None and not running.done():
                # The gradings change what `close` goes through; the next round closes the rest.
                with contextlib.suppress(RuntimeError, OSError, ValueError):
                    self._judge.close()
                time.sleep(0.02)
