"""From what a test raised to a finding: an outcome, words for the learner, and who has to act."""

from __future__ import annotations

import struct
import traceback
from typing import Any

import _pytest.assertion.util
import _pytest.fixtures
import msgpack
import pytest
import zmq

from judge.examiner.problems import LearnerProblem, fit_to_show
from judge.kit import MAX_SHOWN, BrokenTest, Failure, show
from judge.texts import Text
from judge.verdict import Blame, Outcome

MAX_TEXT = 16 * 1024
FIXTURES = ("learner", "sender", "receiver", "queues", "rng")
# What a test meets when it uses a learner's value as if it were right: `data["dtype"]`, `data + 1`,
# `next(iter(data))`, `bytes(size)`, a value as an address. `check` runs every test on the reference
# solution, so a test that raises these by itself is found before any learner sees it.
USE_OF_A_VALUE = (
    LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RuntimeError, StopIteration,
    EOFError, BufferError, MemoryError, OSError, zmq.ZMQError,
    struct.error, msgpack.exceptions.UnpackException, msgpack.exceptions.PackException,
)  # fmt: skip


def _finding(outcome: Outcome, text: Text | None, **more: Any) -> dict[str, Any]:
    nothing = {"expected": None, "actual": None, "diff": None, "line": None}
    blame = None if outcome is Outcome.PASSED else Blame.LEARNER
    words = [_fit(text.en), _fit(text.zh)] if text else None
    sealed = more.pop("sealed", None)
    more["sealed"] = [sealed.en, sealed.zh] if sealed else None
    for name in ("expected", "actual", "diff"):
        if more.get(name) is not None:
            more[name] = _fit(more[name])
    return {"outcome": outcome, "text": words, "blame": blame, **nothing, **more}


def _fit(text: str) -> str:
    """Values of a learner's find their way into texts, also into those of a test."""
    return fit_to_show(text, MAX_TEXT)


def of_problem(problem: LearnerProblem) -> dict[str, Any]:
    line = [problem.line.number, _fit(problem.line.text)] if problem.line else None
    return _finding(problem.outcome, problem.text, line=line, sealed=problem.sealed)


def no_time_left() -> dict[str, Any]:
    text = Text(
        "This test did not run: the time for the whole submission was used up before it.",
        "这个测试没有运行：在它之前，整个提交的时间已经用完。",
    )
    return _finding(Outcome.TIMEOUT, text)


def _of_author(error: BaseException | str) -> dict[str, Any]:
    text = Text(
        "This test itself is broken. It is not your fault; please tell the exercise's author.",
        "这个测试本身有问题。不是你的错，请告诉练习的作者。",
    )
    what = error if isinstance(error, str) else _where_and_what(error)
    return _finding(Outcome.INTERNAL, text, blame=Blame.AUTHOR, diff=what)


def _where_and_what(error: BaseException) -> str:
    """For an author: file and line in the test, then what was raised."""
    if isinstance(error, _pytest.fixtures.FixtureLookupError):
        return f"there is no fixture {error.argname!r}; there are {', '.join(FIXTURES)}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/test_" in f.filename]
    at = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}: " if frames else ""
    return f"{at}{type(error).__name__}: {error}"


def of_exception(error: BaseException) -> dict[str, Any]:
    """The finding for whatever a test's body raised."""
    if isinstance(error, LearnerProblem):
        return of_problem(error)
    if isinstance(error, Failure):
        return _finding(
            Outcome.WRONG,
            error.text,
            expected=error.expected,
            actual=error.actual,
            diff=error.diff,
            sealed=error.sealed,
        )
    if isinstance(error, (AssertionError, pytest.fail.Exception)):
        text = Text("The result is not what this test expects.", "结果与这个测试的预期不符。")
        return _finding(Outcome.WRONG, text, diff=str(error) or None)
    if isinstance(error, (NameError, ImportError, BrokenTest)) or not isinstance(
        error, USE_OF_A_VALUE
    ):
        return _of_author(error)
    text = Text(
        "The result does not have the form that this test needs.",
        "结果的形式不是这个测试所需要的。",
    )
    return _finding(Outcome.WRONG, text, diff=f"{type(error).__name__}: {error}")


def explain_small_comparisons_only() -> None:
    """Keep pytest from explaining how two large values of the test that runs differ.

    It looks for the most alike lines of two texts, which takes minutes for those that a learner makes
    for the purpose; the test would then be blamed for not ending.
    """
    explain = getattr(_pytest.assertion.util, "_reprcompare", None)
    if explain is None:
        return

    def explain_small(operator: str, left: object, right: object) -> str | None:
        small = all(len(show(value)) <= MAX_SHOWN for value in (left, right))
        return explain(operator, left, right) if small else None

    _pytest.assertion.util._reprcompare = explain_small


class Reporter:
    """Watches one test through pytest's phases. A pass needs the call phase to pass, and no failure."""

    def __init__(self) -> None:
        self._called = False
        self._finding: dict[str, Any] | None = None

    def note(self, call: pytest.CallInfo[None]) -> None:
        """One phase has ended: setup, call or teardown."""
        if call.excinfo is not None:
            if self._finding is None:
                self._finding = self._of_phase(call)
        elif call.when == "call":
            self._called = True

    def _of_phase(self, call: pytest.CallInfo[None]) -> dict[str, Any]:
        error = call.excinfo.value if call.excinfo else None
        if isinstance(error, pytest.skip.Exception):
            return _of_author("the test was skipped; skipped is not passed")
        if call.when != "call" and not isinstance(error, (LearnerProblem, Failure)):
            return _of_author(error or "")
        return of_exception(error or RuntimeError())

    def finding(self) -> dict[str, Any]:
        """The finding, after the test has run."""
        if self._finding is not None:
            return self._finding
        if not self._called:
            return _of_author("the test did not run")
        return _finding(Outcome.PASSED, None)
