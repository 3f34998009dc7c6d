"""The clock that all waits of a grading share."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator


class Clock:
    """The deadline of the test that runs, as a `time.monotonic()` time in seconds."""

    def __init__(self, test_seconds: float, submission_seconds: float) -> None:
        self.test_seconds = test_seconds
        self._end = time.monotonic() + submission_seconds
        self.deadline = self._end

    def start_test(self) -> None:
        self.deadline = min(time.monotonic() + self.test_seconds, self._end)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Let the time inside not count: what the judge does for itself is not the learner's."""
        started = time.monotonic()
        yield
        passed = time.monotonic() - started
        self.deadline += passed
        self._end += passed

    @property
    def used_up(self) -> bool:
        """Whether the whole submission's time is over."""
        return time.monotonic() >= self._end

    def until(self, seconds: float | None) -> float:
        """The deadline of a wait of at most `seconds`."""
        return self.deadline if seconds is None else min(self.deadline, time.monotonic() + seconds)
