"""A warm `Judge` that several threads use and that Ctrl-C ends within moments."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from judge.catalog import Exercise
from judge.cli.interrupts import no_interrupts
from judge.grade import WEAKEST_TIER, Judge, Suite
from judge.sandbox.client import Sandbox
from judge.verdict import Verdict

Result = TypeVar("Result")


class Stopped(Exception):
    """It is being closed; nothing more is graded."""


class WarmJudge:
    """Grades like `Judge`. Work with it inside `wait_for`, so that an interrupt can end it.

    Where no judge is `needed`, none is started. `require_tier`: as for `Judge`.
    """

    def __init__(self, *, needed: bool = True, require_tier: int = WEAKEST_TIER) -> None:
        self._judge: Judge | None = None
        self._stopping = False
        try:
            # A judge that is half started cannot be closed.
            with no_interrupts():
                self._judge = Judge(require_tier=require_tier) if needed else None
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> WarmJudge:
        return self

    def __exit__(self, *_: object) -> None:
        with no_interrupts():
            self._close()

    def _close(self) -> None:
        if self._judge is not None:
            self._judge.close()

    def sandbox(self) -> Sandbox:
        """As `Judge.sandbox`."""
        if self._stopping or self._judge is None:
            raise Stopped
        return self._judge.sandbox()

    def grade(
        self, exercise: Exercise, source: str | bytes, suite: Suite = "all", **more: Any
    ) -> Verdict:
        """As `Judge.grade`. Raises `Stopped` after an interrupt."""
        if self._stopping or self._judge is None:
            raise Stopped
        try:
            return self._judge.grade(exercise, source, suite, **more)
        finally:
            # Whatever a grading makes of its judge being closed under it, it is no result.
            if self._stopping:
                raise Stopped

    def wait_for(self, work: Callable[[], Result]) -> Result:
        """Run `work` in a thread and wait. An interrupt first ends the gradings, then passes on."""
        running: Future[Result] | None = None
        with ThreadPoolExecutor(1) as pool:
            try:
                running = pool.submit(work)
                return running.result()
            except BaseException:
                self._stop(running)
                raise

    def _stop(self, running: Future[Any] | None) -> None:
        """Close the judge until no grading is left: one just beginning may have revived it."""
        with no_interrupts():
            self._stopping = True
            while running is not None and not running.done():
                # The gradings change what `close` goes through; the next round closes the rest.
                with contextlib.suppress(RuntimeError, OSError, ValueError):
                    self._close()
                time.sleep(0.02)
