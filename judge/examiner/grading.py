"""One grading's examinees by role."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from judge.examiner import problems
from judge.examiner.clock import Clock
from judge.examiner.link import Link, Output, Supervisor
from judge.examiner.submission import Submission


class Grading:
    """Hands out examinees by role. A dead one, or one in which a probe still runs, is replaced."""

    def __init__(
        self, supervisor: Supervisor, submission: Submission, clock: Clock, classes: list[type]
    ) -> None:
        self.submission, self.clock, self.output = submission, clock, Output()
        self._supervisor, self._classes = supervisor, classes
        self._links: dict[str, Link] = {}
        self._spare: Link | None = None
        self._ready: set[str] = set()
        self._shared: dict[str, str] = {}
        self.running: list[Any] = []

    def load_first(self) -> None:
        """Load the submission once, before any test. Raises `LearnerProblem` if it does not load."""
        self.clock.start_test()
        self._spare = self._new_link()

    def start_test(self, roles: Collection[str] = ()) -> None:
        """`roles` are those that the test uses.

        `learner` and `sender` are one examinee where a test has not both: a process less to make.
        Only what a `receiver` has seen could fake a round trip, and that is never anybody else.
        """
        self.clock.start_test()
        self._ready.clear()
        self.running.clear()
        self._shared = {} if {"learner", "sender"} <= set(roles) else {"learner": "sender"}

    def link(self, role: str) -> Link:
        """The examinee of that role, with nothing left in it from an earlier test."""
        role = self._shared.get(role, role)
        link = self._links.get(role)
        if link is not None and role in self._ready:
            return link
        if link is not None and link.alive and not self._is_clean(link):
            link.close()
        if link is None or not link.alive:
            link, self._spare = self._spare or self._new_link(), None
            self._links[role] = link
            link.ask(self.clock.deadline, "reset")
        self._ready.add(role)
        return link

    def _is_clean(self, link: Link) -> bool:
        if not link.touched:
            return True
        try:
            link.touched = False
            return link.ask(self.clock.deadline, "reset") is True
        except problems.LearnerProblem:
            return False

    def _new_link(self) -> Link:
        with self.clock.stopped():
            link = Link(
                self._supervisor,
                self.output,
                self.submission,
                self._classes,
                self.clock.test_seconds,
            )
        try:
            self.submission.load(partial(link.ask, self.clock.deadline))
        except problems.LearnerProblem:
            link.close()
            raise
        return link

    def live_links(self) -> list[Link]:
        """The examinees that the running test has used."""
        return [self._links[r] for r in sorted(self._ready) if self._links[r].alive]

    def raise_if_failed(self) -> None:
        """Raise what a started probe of this test raised, if one has: no need to wait for the limit."""
        for running in self.running:
            running.raise_if_failed()

    def where(self) -> Any:
        """The line at which the learner's code stands in any examinee of this test, or None."""
        return next((line for link in self.live_links() if (line := link.where())), None)
