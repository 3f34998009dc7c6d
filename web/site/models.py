"""The tables, as typed models. Every change here needs a migration in `migrations/versions`.

Nothing in them says who a learner is: a learner is a random number in a cookie.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import DateTime, Dialect, Enum, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class State(StrEnum):
    """Where a submission is. `replaced`: a newer one of the same learner came before it was graded."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    REPLACED = "replaced"


class Moment(TypeDecorator[datetime]):
    """A time in UTC. SQLite keeps no time zone, so it is taken off on the way in and put on again."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


# Kept as the word itself, in a column of plain text: a new state needs no change of the table.
STATE = Enum(
    State,
    native_enum=False,
    create_constraint=False,
    length=16,
    values_callable=lambda states: [state.value for state in states],
)


def now() -> datetime:
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """All tables of the site."""


class Learner(Base):
    """Somebody who submitted or answered something or asked for help. `id` is the number in the cookie, hex."""

    __tablename__ = "learners"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created: Mapped[datetime] = mapped_column(Moment, default=now)


class Progress(Base):
    """What a learner has seen and reached of one exercise."""

    __tablename__ = "progress"

    learner: Mapped[str] = mapped_column(ForeignKey("learners.id"), primary_key=True)
    exercise: Mapped[str] = mapped_column(String(200), primary_key=True)
    hints: Mapped[int] = mapped_column(default=0)
    solution_asked: Mapped[bool] = mapped_column(default=False)
    solved: Mapped[datetime | None] = mapped_column(Moment)
    tried: Mapped[datetime | None] = mapped_column(Moment)
    passed_tests: Mapped[int] = mapped_column(default=0)
    tests: Mapped[int] = mapped_column(default=0)


class Answered(Base):
    """A question of a chapter's self-test that a learner has tried; `right` is when first rightly."""

    __tablename__ = "answers"

    learner: Mapped[str] = mapped_column(ForeignKey("learners.id"), primary_key=True)
    chapter: Mapped[str] = mapped_column(String(100), primary_key=True)
    question: Mapped[str] = mapped_column(String(100), primary_key=True)
    tried: Mapped[datetime] = mapped_column(Moment)
    right: Mapped[datetime | None] = mapped_column(Moment)


class Submission(Base):
    """One submission. `number` gives the order, `id` is its name outside, which nobody can guess.

    `queued` is its place in the queue: the time of its coming, or that of the one it replaced.
    `attempts` counts how often a worker began to grade it, `losses` how often one died over it.
    `verdict` is the verdict's JSON form, as
    learners may read it; `outcome`, `passed_tests` and `tests` are drawn from it for lists.
    """

    __tablename__ = "submissions"
    __table_args__ = (
        Index("submissions_by_learner", "learner", "exercise", "number"),
        Index("submissions_by_state", "state", "queued"),
        Index("submissions_by_content", "source_digest", "tests_digest", "exercise", "suite"),
    )

    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(32), unique=True)
    learner: Mapped[str] = mapped_column(ForeignKey("learners.id"))
    exercise: Mapped[str] = mapped_column(String(200))
    suite: Mapped[str] = mapped_column(String(16))
    source: Mapped[str] = mapped_column(Text)
    source_digest: Mapped[str] = mapped_column(String(64))
    tests_digest: Mapped[str] = mapped_column(String(64))
    state: Mapped[State] = mapped_column(STATE)
    created: Mapped[datetime] = mapped_column(Moment, default=now)
    queued: Mapped[datetime] = mapped_column(Moment)
    started: Mapped[datetime | None] = mapped_column(Moment)
    finished: Mapped[datetime | None] = mapped_column(Moment)
    worker: Mapped[str | None] = mapped_column(String(32))
    attempts: Mapped[int] = mapped_column(default=0)
    losses: Mapped[int] = mapped_column(default=0)
    replaced_by: Mapped[str | None] = mapped_column(String(32))
    reused: Mapped[bool] = mapped_column(default=False)
    verdict: Mapped[str | None] = mapped_column(Text)
    outcome: Mapped[str | None] = mapped_column(String(16))
    passed_tests: Mapped[int] = mapped_column(default=0)
    tests: Mapped[int] = mapped_column(default=0)


class Result(Base):
    """One test's result of a submission that is being graded, in the JSON form learners may read.

    They are removed when the verdict comes, which holds them all.
    """

    __tablename__ = "results"
    __table_args__ = (UniqueConstraint("submission", "position", name="results_in_order"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    submission: Mapped[int] = mapped_column(ForeignKey("submissions.number"))
    position: Mapped[int]
    result: Mapped[str] = mapped_column(Text)
