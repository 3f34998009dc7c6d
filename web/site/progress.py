"""What a learner has seen and reached: hints, solutions, solved exercises, and what is open to them."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from judge.verdict import Outcome, Verdict
from web.site.course import Course
from web.site.models import Learner, Progress, now
from web.site.verdicts import count_passed


def ensure_learner(session: Session, learner: str) -> None:
    """Keep the learner's number, if this is the first thing they do that is kept."""
    if session.get(Learner, learner) is not None:
        return
    # Two first requests at once are one learner.
    dialect = session.get_bind().dialect.name
    insert = sqlite_insert if dialect == "sqlite" else postgresql_insert
    values = insert(Learner).values(id=learner, created=now())
    session.execute(values.on_conflict_do_nothing())


def of_all(session: Session, learner: str) -> dict[str, Progress]:
    """The learner's progress by exercise; exercises they never touched are missing."""
    rows = session.scalars(select(Progress).where(Progress.learner == learner))
    return {row.exercise: row for row in rows}


def of_one(session: Session, learner: str, exercise: str) -> Progress:
    """The learner's progress in one exercise; where there is none, an empty one that is not kept."""
    found = session.get(Progress, (learner, exercise))
    return found or empty(learner, exercise)


def empty(learner: str, exercise: str) -> Progress:
    return Progress(
        learner=learner,
        exercise=exercise,
        hints=0,
        solution_asked=False,
        passed_tests=0,
        tests=0,
    )


def change(session: Session, learner: str, exercise: str) -> Progress:
    """The learner's progress in one exercise, to be changed in a session that writes."""
    found = session.get(Progress, (learner, exercise), with_for_update=True)
    if found is None:
        ensure_learner(session, learner)
        found = empty(learner, exercise)
        session.add(found)
    return found


def note_verdict(session: Session, learner: str, verdict: Verdict) -> None:
    """Count a verdict on the learner's submission; one by which the judge gave up says nothing."""
    if verdict.verdict is Outcome.INTERNAL:
        return
    row = change(session, learner, verdict.exercise)
    row.tried = now()
    row.passed_tests, row.tests = count_passed(verdict), len(verdict.tests)
    if verdict.passed and verdict.suite == "all" and row.solved is None:
        row.solved = now()


def closed_by(course: Course, rows: dict[str, Progress], exercise: str) -> list[str]:
    """The exercises that must be solved, or their solution asked for, before this one is opened.

    Its supporting modules contain their reference solutions.
    """
    return [
        other
        for other in course.gives_away(exercise)
        if (row := rows.get(other)) is None or not (row.solved or row.solution_asked)
    ]


def state_of(row: Progress | None) -> str:
    """`solved`, `tried` or `new`."""
    if row is None or (row.solved is None and row.tried is None):
        return "new"
    return "solved" if row.solved else "tried"
