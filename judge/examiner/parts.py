"""What the fixtures need of a grading, wherever its examinees are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from judge.examiner.clock import Clock
from judge.verdict import SourceLine


class ExamineeLink(Protocol):
    """The examiner's end of one examinee."""

    def ask(self, deadline: float, op: str, **fields: Any) -> Any:
        """One request and its value. Raises `LearnerProblem` for whatever the learner's side does."""
        ...

    def descriptors(self) -> list[int]:
        """What becomes readable when the examinee prints or ends."""
        ...

    def attend(self) -> None:
        """Take output; raise `LearnerProblem` if the examinee has ended or speaks out of turn."""
        ...


class LiveGrading(Protocol):
    """The grading that runs, as `learner` and `queues` see it. `running` holds the started probes."""

    clock: Clock
    running: list[Any]

    def link(self, role: str) -> ExamineeLink:
        """The examinee of that role, with nothing left in it from an earlier test."""
        ...

    def live_links(self) -> Sequence[ExamineeLink]:
        """The examinees of the running test that live in processes of their own."""
        ...

    def raise_if_failed(self) -> None:
        """Raise what a started probe of this test raised, if one has."""
        ...

    def where(self) -> SourceLine | None:
        """The line at which the learner's code stands, if that can be seen."""
        ...
