"""Which tests of an exercise a grading runs."""

from __future__ import annotations

from typing import Literal, get_args

from judge.catalog import Exercise, TestInfo
from judge.verdict import Visibility

Suite = Literal["example", "hidden", "all"]
SUITES: tuple[Suite, ...] = get_args(Suite)


def tests_of(exercise: Exercise, suite: Suite) -> dict[str, TestInfo]:
    """The suite's test functions by name, in their order. Raises `ValueError` for an unknown suite."""
    if suite not in SUITES:
        raise ValueError(f"no suite {suite!r}; there are {', '.join(SUITES)}")
    return {
        test.name: test
        for test in exercise.tests
        if suite == "all" or test.visibility is Visibility(suite)
    }
