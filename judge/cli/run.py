"""One run: submissions judged under a progress bar, their lines printed as they come, in order."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from fractions import Fraction

from judge.cli.bar import Bar
from judge.cli.grading import Submission, grade_all
from judge.cli.report import Graded, Report
from judge.cli.session import Session
from judge.cli.warm import WarmJudge
from judge.grade import Suite
from judge.grade.suites import tests_of
from judge.texts import Text
from judge.verdict import Outcome, TestResult, Verdict

JUDGING = Text("judging", "评测中")
NOT_KEPT = Text(
    "Your progress cannot be kept: practice/.state.json cannot be written.",
    "你的进度无法保存：practice/.state.json 无法写入。",
)

PASSED, FAILED, JUDGE_FAILED = 0, 1, 3


def judge(
    session: Session,
    warm: WarmJudge,
    submissions: Sequence[Submission],
    suite: Suite,
    seed: int | None,
    report: Report,
    *,
    keep: bool,
) -> list[Graded]:
    """Judge and print a line each; `keep`: these are the learner's files, so remember the verdicts.

    Without a `seed` one is drawn, the same for all, so that one number repeats the whole run.
    """
    seed = secrets.randbelow(2**31) if seed is None else seed
    # The bar counts exercises; the tests, as they pass, move it between two of them.
    tests = {each.exercise.id: tests_of(each.exercise, suite) for each in submissions}
    left = {name: set(functions) for name, functions in tests.items()}
    lock = threading.Lock()
    kept = True
    with Bar(session.err, len(submissions), JUDGING[session.language]) as bar:

        def on_result(submission: Submission, result: TestResult) -> None:
            with lock:
                waiting = left[submission.exercise.id]
                if result.function in waiting:  # a parametrized test counts once
                    waiting.discard(result.function)
                    bar.step(Fraction(1, len(tests[submission.exercise.id])))

        def on_verdict(submission: Submission, verdict: Verdict) -> None:
            nonlocal kept
            if keep:
                kept = session.state.keep(verdict) and kept
            name = submission.exercise.id
            bar.step(Fraction(len(left[name]), len(tests[name])) if tests[name] else 1)
            with bar.hidden():
                report.line(submission, verdict)

        verdicts = warm.wait_for(
            lambda: grade_all(warm, submissions, suite, seed, on_result, on_verdict)
        )
    if not kept:
        session.note(NOT_KEPT)
    return list(zip(submissions, verdicts, strict=True))


def exit_code(graded: Sequence[Graded]) -> int:
    if any(verdict.verdict is Outcome.INTERNAL for _, verdict in graded):
        return JUDGE_FAILED
    return PASSED if all(verdict.passed for _, verdict in graded) else FAILED
