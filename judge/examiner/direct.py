"""The same fixtures in one interpreter: `python -m pytest -p judge.examiner.direct --solution FILE EXERCISE`.

For authors at their desk and as the measure of what a plain pytest run costs. Values still cross as
copies, so a test behaves as it does in a grading, but nothing is hidden, limited or safe here.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from judge import wire
from judge.catalog import Exercise, load_catalog
from judge.examinee.serve import Examinee
from judge.examiner.grading import Clock
from judge.examiner.learner import Learner
from judge.examiner.queues import Queues
from judge.examiner.replies import Replies
from judge.examiner.request import grading_request
from judge.examiner.submission import Submission


class DirectLink:
    """An examinee in this very process."""

    alive = True

    def __init__(self, submission: Submission) -> None:
        self._examinee = Examinee()
        self._replies = Replies(submission.display, [])

    def ask(self, _deadline: float, op: str, **fields: Any) -> Any:
        frame = self._replies.request(op, fields)
        reader = wire.FrameReader()
        reader.feed(frame)
        reply = self._examinee.answer(*reader.next_frame())
        reader.feed(reply)
        return self._replies.value(self._replies.decode(*reader.next_frame()))


class DirectGrading:
    """Stands in for `Grading`: every role is the same examinee, and it never is replaced."""

    def __init__(self, submission: Submission, clock: Clock) -> None:
        self.clock = clock
        self.running: list[Any] = []
        self._link = DirectLink(submission)
        submission.load(lambda op, **fields: self._link.ask(0.0, op, **fields))

    def start_test(self) -> None:
        self.clock.start_test()
        self.running.clear()
        self._link.ask(0.0, "reset")

    def link(self, _role: str) -> DirectLink:
        return self._link

    def live_links(self) -> list[Any]:
        return []

    def raise_if_failed(self) -> None:
        for running in self.running:
            running.raise_if_failed()

    def where(self) -> None:
        return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--solution", type=Path, required=True, help="the learner's file")


@pytest.fixture(scope="session")
def exercise(request: pytest.FixtureRequest) -> Exercise:
    folder = Path(request.session.items[0].path).parent
    catalog = load_catalog(folder.parents[2])
    return catalog.exercise(f"{folder.parent.name}/{folder.name}")


@pytest.fixture(scope="session")
def _grading(request: pytest.FixtureRequest, exercise: Exercise) -> DirectGrading:
    source = request.config.getoption("--solution").read_text(encoding="utf-8")
    limits = exercise.limits
    clock = Clock(limits.test_seconds, limits.submission_seconds)
    return DirectGrading(Submission(grading_request(exercise, source)), clock)


@pytest.fixture(autouse=True)
def grading(_grading: DirectGrading) -> DirectGrading:
    torch.manual_seed(0)
    _grading.start_test()
    return _grading


@pytest.fixture(name="learner")
def learner_fixture(grading: DirectGrading) -> Learner:
    return Learner(grading, "learner")


sender = pytest.fixture(name="sender")(lambda grading: Learner(grading, "sender"))
receiver = pytest.fixture(name="receiver")(lambda grading: Learner(grading, "receiver"))


@pytest.fixture
def queues(grading: DirectGrading) -> Iterator[Queues]:
    with tempfile.TemporaryDirectory(prefix="mj-", dir="/tmp") as folder:
        made = Queues(grading, Path(folder), Path(folder))
        yield made
        made.close_peers()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)
