"""The same fixtures in one interpreter: `python -m pytest -p judge.examiner.direct --solution FILE EXERCISE`.

For authors at their desk and as the measure of what a plain pytest run costs. Values still cross as
copies, so a test behaves as it does in a grading, but nothing is hidden, limited or safe here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.catalog import load_catalog
from judge.examiner.clock import Clock
from judge.examiner.fixtures import Fixtures
from judge.examiner.one_interpreter import LocalGrading
from judge.examiner.replies import dataclasses_of
from judge.examiner.request import grading_request
from judge.examiner.submission import Submission


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--solution", type=Path, required=True, help="the learner's file")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Direct(config.getoption("--solution")))


class Direct(Fixtures):
    """Grades the file `solution` with the tests that pytest has collected."""

    def __init__(self, solution: Path) -> None:
        super().__init__()
        self._solution = solution

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """The exercise is that of the first test's folder."""
        if not session.items:
            return
        folder = Path(session.items[0].path).parent
        exercise = load_catalog(folder.parents[2]).exercise(f"{folder.parent.name}/{folder.name}")
        source, limits = self._solution.read_text(encoding="utf-8"), exercise.limits
        self.grading = LocalGrading(
            Submission(grading_request(exercise, source)),
            Clock(limits.test_seconds, limits.submission_seconds),
            dataclasses_of("minisgl"),
        )
