"""The workers' side of the queue: a submission is claimed, graded, and given back or done.

Every change asks first whether the claim still stands, so a worker that was given up for lost cannot
write into a grading that another one has begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import ColumnElement, delete, exists, select, update
from sqlalchemy.orm import Session, aliased

from judge.grade import WEAKEST_TIER, Suite
from judge.verdict import TestResult, Verdict
from web.site import progress, submissions, verdicts
from web.site.models import Result, State, Submission, now

# After the first loss a submission is graded again; after the second it is given up.
MAX_LOSSES = 2


@dataclass(frozen=True)
class Claim:
    """One submission in one worker's hands. `attempt` counts from 1."""

    number: int
    worker: str
    attempt: int
    exercise: str
    suite: Suite
    source: str


def any_waiting(session: Session) -> bool:
    """Whether there may be something to claim."""
    waiting = select(Submission.number).where(Submission.state == State.WAITING)
    return session.scalar(waiting.limit(1)) is not None


def claim_next(session: Session, worker: str) -> Claim | None:
    """Claim the first submission that may be graded now; None if there is none.

    It waits while its learner has another one running, or while the same code is being graded, for
    then its verdict is about to come.
    """
    running = aliased(Submission)
    in_the_way = exists().where(
        running.state == State.RUNNING,
        (running.learner == Submission.learner)
        | (
            (running.source_digest == Submission.source_digest)
            & (running.tests_digest == Submission.tests_digest)
            & (running.exercise == Submission.exercise)
            & (running.suite == Submission.suite)
        ),
    )
    candidate = (
        select(Submission.number)
        .where(Submission.state == State.WAITING, ~in_the_way)
        .order_by(Submission.queued, Submission.number)
        .limit(1)
    )
    number = session.scalar(candidate)
    if number is None:
        return None
    claimed = session.scalar(
        update(Submission)
        .where(Submission.number == number, Submission.state == State.WAITING)
        .values(
            state=State.RUNNING,
            worker=worker,
            started=now(),
            attempts=Submission.attempts + 1,
        )
        .returning(Submission.number)
    )
    if claimed is None:  # another worker was faster, where the database lets both look at once
        return None
    row = session.get_one(Submission, number, populate_existing=True)
    return Claim(number, worker, row.attempts, row.exercise, cast(Suite, row.suite), row.source)


def reuse_earlier(session: Session, claim: Claim, require_tier: int = WEAKEST_TIER) -> bool:
    """Take the verdict that has come meanwhile for the same code and tests, if there is one."""
    row = _held(session, claim)
    earlier = None if row is None else submissions.earlier_verdict(session, row, require_tier)
    if row is None or earlier is None:
        return False
    submissions.reuse(session, row, earlier)
    return True


def note_results(session: Session, claim: Claim, first: int, results: Sequence[TestResult]) -> None:
    """Keep tests' results in the order of their coming; `first` is the first one's place, from 1."""
    if _held(session, claim) is None:
        return
    for position, result in enumerate(results, first):
        text = verdicts.result_json(verdicts.public_result(result))
        session.add(Result(submission=claim.number, position=position, result=text))


def finish(session: Session, claim: Claim, verdict: Verdict) -> None:
    """Keep the verdict."""
    row = _held(session, claim)
    if row is not None:
        _conclude(session, row, verdict)


def _held(session: Session, claim: Claim) -> Submission | None:
    """The claimed submission, if the claim still stands."""
    chosen = select(Submission).where(
        Submission.number == claim.number,
        Submission.state == State.RUNNING,
        Submission.worker == claim.worker,
        Submission.attempts == claim.attempt,
    )
    return session.scalars(chosen.with_for_update()).first()


def _conclude(session: Session, row: Submission, verdict: Verdict) -> None:
    shown = verdicts.public_verdict(verdict)
    row.state, row.finished = State.DONE, now()
    row.verdict, row.outcome = verdicts.verdict_json(shown), shown.verdict.value
    row.passed_tests, row.tests = verdicts.count_passed(shown), len(shown.tests)
    _forget_results(session, [row.number])
    progress.note_verdict(session, row.learner, shown)


def release(session: Session, worker: str) -> None:
    """Give back what an ending worker had begun. Nothing was lost by a fault, so none is counted."""
    numbers = _held_by(session, Submission.worker == worker)
    session.execute(
        update(Submission)
        .where(Submission.number.in_(numbers))
        .values(state=State.WAITING, worker=None, started=None)
    )
    _forget_results(session, numbers)


def recover(session: Session, worker: str | None = None) -> list[int]:
    """Give back what a lost worker had begun, or what all had begun that a lost server started.

    What was lost for the second time gets the verdict `internal`. Returns the submissions' numbers.
    """
    lost = Submission.worker == worker if worker else Submission.worker.is_not(None)
    numbers = _held_by(session, lost)
    _forget_results(session, numbers)
    for row in session.scalars(select(Submission).where(Submission.number.in_(numbers))):
        row.losses += 1
        if row.losses >= MAX_LOSSES:
            given_up = verdicts.internal(row.exercise, row.suite, verdicts.LOST)
            _conclude(session, row, given_up)
        else:
            row.state, row.worker, row.started = State.WAITING, None, None
    return list(numbers)


def _held_by(session: Session, lost: ColumnElement[bool]) -> Sequence[int]:
    chosen = select(Submission.number).where(Submission.state == State.RUNNING, lost)
    return session.scalars(chosen).all()


def _forget_results(session: Session, numbers: Sequence[int]) -> None:
    session.execute(delete(Result).where(Result.submission.in_(numbers)))
