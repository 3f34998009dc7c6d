"""Submissions to verdicts, two at a time; one that fails in any way never disturbs the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from judge.catalog import Exercise
from judge.cli import files
from judge.cli.session import Refusal, Session
from judge.cli.warm import Stopped, WarmJudge
from judge.grade import SourceProblem, Suite, read_submission
from judge.texts import Text
from judge.verdict import Blame, Outcome, TestResult, Verdict

WORKERS = 4


@dataclass(frozen=True)
class Submission:
    """What a learner hands in: `source`, or the problem in its place. `shown` is its path;
    `copied`: it was the stub that has just been put there."""

    exercise: Exercise
    shown: str
    source: bytes | None
    problem: Text | None = None
    copied: bool = field(default=False, compare=False)

    @property
    def untouched(self) -> bool:
        return self.source == self.exercise.stub.encode()


def submission(
    session: Session, exercise: Exercise, file: Path | None = None, *, copy: bool = True
) -> Submission:
    """The learner's file for an exercise, copied from the stub if missing, or another `file`."""
    shown = str(file) if file else session.show(files.path_of(session, exercise))
    copied = False
    try:
        if file is None and copy:
            copied = files.provide(session, exercise)
        elif file is None:
            files.refuse_what_is_no_file(session, exercise)
        return Submission(exercise, shown, read_submission(Path(shown)), copied=copied)
    except (Refusal, SourceProblem) as problem:
        return Submission(exercise, shown, None, problem.text)


def grade_all(
    warm: WarmJudge,
    submissions: Sequence[Submission],
    suite: Suite,
    seed: int,
    on_result: Callable[[Submission, TestResult], None],
    on_verdict: Callable[[Submission, Verdict], None],
) -> list[Verdict]:
    """The verdicts in the order of the submissions; `on_verdict` is called in that order too.

    Raises `Stopped` after an interrupt.
    """

    def grade(each: Submission) -> Verdict:
        if each.source is None:
            assert each.problem is not None
            return _refusal(each, Outcome.ERROR, Blame.LEARNER, each.problem, suite, seed)
        try:
            return warm.grade(
                each.exercise, each.source, suite,
                seed=seed, on_result=lambda result: on_result(each, result),
            )  # fmt: skip
        except Stopped:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            text = Text(
                f"The judge itself failed, not your code: {what}",
                f"评测程序自己出了错，不是你的代码的问题：{what}",
            )
            return _refusal(each, Outcome.INTERNAL, Blame.JUDGE, text, suite, seed)

    verdicts = []
    with ThreadPoolExecutor(WORKERS) as pool:
        try:
            for each, verdict in zip(submissions, pool.map(grade, submissions), strict=True):
                verdicts.append(verdict)
                on_verdict(each, verdict)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return verdicts


def _refusal(
    each: Submission,
    outcome: Outcome,
    blame: Blame,
    text: Text,
    suite: Suite,
    seed: int,
) -> Verdict:
    return Verdict(
        exercise=each.exercise.id,
        suite=suite,
        verdict=outcome,
        blame=blame,
        message=text.en,
        message_zh=text.zh,
        seed=seed,
    )
