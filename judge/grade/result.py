"""The conclusions of `judge.results`, for an exercise of the catalogue."""

from __future__ import annotations

from typing import Any

from judge.catalog import Exercise, TestInfo
from judge.results import conclusion
from judge.results.conclusion import refuse, set_message, test_result
from judge.results.patterns import patterns_of
from judge.verdict import Verdict

__all__ = ["conclude", "refuse", "set_message", "test_result"]


def conclude(
    verdict: Verdict,
    findings: dict[str, dict[str, Any]],
    exercise: Exercise,
    run: dict[str, TestInfo],
    collected: list[str],
) -> None:
    """Fill in the verdict from the findings, one for each collected test's name."""
    conclusion.conclude(verdict, findings, run, patterns_of(exercise.wrong, run), collected)
