"""Submissions as learners make and read them: taken in, found again, listed."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session, defer

from judge.catalog import Exercise
from judge.grade import WEAKEST_TIER
from judge.verdict import Outcome, from_json
from web.site import progress
from web.site.models import State, Submission, now

SUITE = "all"
# What a machine that is busy does not change.
REUSABLE = [str(each) for each in (Outcome.PASSED, Outcome.WRONG, Outcome.ERROR)]


class QueueFull(Exception):
    """As many submissions wait as may wait. The learner may try again in a moment."""


@dataclass(frozen=True)
class Taken:
    """What became of a submission at the door. `replaced` is the waiting one it took the place of."""

    submission: Submission
    place: int | None
    replaced: str | None = None


def take_in(
    session: Session,
    learner: str,
    exercise: Exercise,
    source: str,
    *,
    queue_limit: int,
    require_tier: int = WEAKEST_TIER,
) -> Taken:
    """Keep a submission in a session that writes. Raises `QueueFull`.

    The same code on the same tests is not graded twice: what is known of it already is the answer. A
    learner has at most one submission waiting: a newer one takes its place in the queue.
    """
    source_digest = hashlib.sha256(source.encode()).hexdigest()
    new = Submission(
        id=secrets.token_hex(16),
        learner=learner,
        exercise=exercise.id,
        suite=SUITE,
        source=source,
        source_digest=source_digest,
        tests_digest=exercise.tests_digest,
        created=now(),
        queued=now(),
        state=State.WAITING,
    )
    progress.ensure_learner(session, learner)
    pending = _pending(session, learner)
    for other in pending:
        if _same_content(other, new):
            return Taken(other, place_of(session, other))
    waiting = next((other for other in pending if other.state is State.WAITING), None)
    earlier = earlier_verdict(session, new, require_tier)
    if earlier is not None and waiting is not None and waiting.exercise != new.exercise:
        waiting = None  # nothing needs its place
    if waiting is not None:
        waiting.state, waiting.replaced_by = State.REPLACED, new.id
        waiting.finished = now()
        new.queued = waiting.queued
    elif earlier is None and _count_waiting(session) >= queue_limit:
        raise QueueFull
    session.add(new)
    if earlier is not None:
        reuse(session, new, earlier)
    session.flush()
    return Taken(new, place_of(session, new), waiting.id if waiting else None)


def _pending(session: Session, learner: str) -> list[Submission]:
    chosen = select(Submission).where(
        Submission.learner == learner, Submission.state.in_((State.WAITING, State.RUNNING))
    )
    return list(session.scalars(chosen))


def _same_content(one: Submission, other: Submission) -> bool:
    return (one.exercise, one.suite, one.source_digest, one.tests_digest) == (
        other.exercise,
        other.suite,
        other.source_digest,
        other.tests_digest,
    )


def earlier_verdict(
    session: Session, submission: Submission, require_tier: int = WEAKEST_TIER
) -> Submission | None:
    """The last submission with the same code, graded with the same tests; None if there is none.

    Timeouts and the like are not given twice: the machine may have been busy. Nor is what was graded
    behind weaker walls than `require_tier`, as before a move to another machine.

    It may be another learner's: the verdict then tells nothing that this learner's own would not.
    """
    chosen = select(Submission).where(
        Submission.source_digest == submission.source_digest,
        Submission.tests_digest == submission.tests_digest,
        Submission.exercise == submission.exercise,
        Submission.suite == submission.suite,
        Submission.state == State.DONE,
        Submission.outcome.in_(REUSABLE),
    )
    last = session.scalars(chosen.order_by(Submission.number.desc()).limit(1)).first()
    if last is None or last.verdict is None:
        return None
    tier = from_json(last.verdict.encode()).tier or WEAKEST_TIER
    return last if tier <= require_tier else None


def reuse(session: Session, submission: Submission, earlier: Submission) -> None:
    """Give the submission the verdict of an earlier one with the same code and tests."""
    submission.state, submission.reused = State.DONE, True
    submission.verdict, submission.outcome = earlier.verdict, earlier.outcome
    submission.passed_tests, submission.tests = earlier.passed_tests, earlier.tests
    submission.finished = now()
    assert earlier.verdict is not None  # a submission that is done has one
    progress.note_verdict(session, submission.learner, from_json(earlier.verdict.encode()))


def _count_waiting(session: Session) -> int:
    counted = select(func.count()).select_from(Submission)
    return session.scalar(counted.where(Submission.state == State.WAITING)) or 0


def place_of(session: Session, submission: Submission) -> int | None:
    """The place in the queue, 1 for the next; None if the submission does not wait."""
    if submission.state is not State.WAITING:
        return None
    before = or_(
        Submission.queued < submission.queued,
        and_(Submission.queued == submission.queued, Submission.number < submission.number),
    )
    counted = select(func.count()).select_from(Submission)
    return (session.scalar(counted.where(Submission.state == State.WAITING, before)) or 0) + 1


def find_own(session: Session, learner: str, submission_id: str) -> Submission | None:
    """The learner's submission of this name; None if there is none, or if it is somebody else's."""
    chosen = select(Submission).where(Submission.id == submission_id, Submission.learner == learner)
    return session.scalars(chosen).first()


def list_own(
    session: Session, learner: str, exercise: str | None, limit: int, before: str | None
) -> tuple[list[Submission], bool]:
    """The learner's submissions, newest first, and whether there are more.

    `before` is the name of the submission after which the list goes on; an unknown one gives nothing.
    """
    # Not what makes them large: a list shows neither.
    chosen = select(Submission).options(defer(Submission.source), defer(Submission.verdict))
    chosen = chosen.where(Submission.learner == learner)
    if exercise is not None:
        chosen = chosen.where(Submission.exercise == exercise)
    if before is not None:
        last = find_own(session, learner, before)
        if last is None:
            return [], False
        chosen = chosen.where(Submission.number < last.number)
    rows = list(session.scalars(chosen.order_by(Submission.number.desc()).limit(limit + 1)))
    return rows[:limit], len(rows) > limit
