"""The database: migrations that agree with the models, and a queue that several workers share."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from site_parts import COURSE, SOLUTION
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from judge.catalog import load_catalog
from judge.verdict import Outcome, TestResult, Verdict, Visibility
from web.site import claims, submissions
from web.site.database import MIGRATIONS, Database, UnusableDatabase
from web.site.models import Base, Progress, Result, State, Submission

EXERCISE = load_catalog(COURSE).exercise("ch1/double")


@pytest.fixture
def database(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'site.sqlite3'}")
    database.migrate()
    yield database
    database.close()


def revisions() -> list[str]:
    """All revisions, the first one first; there is one way through them."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][
        ::-1
    ]


def differences(database: Database) -> list:
    with database.connect() as connection:
        return compare_metadata(MigrationContext.configure(connection), Base.metadata)


def submit(database: Database, learner: str, source: str = SOLUTION) -> submissions.Taken:
    with database.write() as session:
        return submissions.take_in(session, learner, EXERCISE, source, queue_limit=1000)


def claim(database: Database, worker: str = "a-worker") -> claims.Claim | None:
    with database.write() as session:
        return claims.claim_next(session, worker)


def verdict_of(claimed: claims.Claim, outcome: Outcome = Outcome.PASSED) -> Verdict:
    return Verdict(
        exercise=claimed.exercise, suite=claimed.suite, verdict=outcome, status=outcome.status
    )


# --- migrations ---------------------------------------------------------------------------------


def test_an_empty_database_gets_what_the_models_say(database):
    assert differences(database) == []
    # Once more changes nothing.
    submit(database, "0" * 32)
    database.migrate()
    with database.read() as session:
        assert session.scalars(select(Submission)).one().source == SOLUTION


def test_one_step_after_another_leads_to_the_same(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'steps.sqlite3'}")
    for revision in revisions():
        database.migrate(revision)
    assert differences(database) == []
    database.close()


def test_the_differences_would_be_found(database):
    with database.write() as session:
        session.connection().exec_driver_sql("alter table submissions drop column worker")
    assert [difference[0] for difference in differences(database)] == ["add_column"]


def test_a_folder_may_have_any_name(tmp_path):
    folder = tmp_path / "50% of 数据 (my data)"
    folder.mkdir()
    database = Database(f"sqlite:///{folder / 'site.sqlite3'}")
    database.migrate()
    assert differences(database) == []
    database.close()


def test_what_is_no_database_of_ours_is_refused_in_words(tmp_path):
    path = tmp_path / "site.sqlite3"
    path.write_bytes(b"this is a diary, not a database " * 100)
    with pytest.raises(UnusableDatabase, match="cannot be used"):
        Database(f"sqlite:///{path}").migrate()
    assert path.read_bytes().startswith(b"this is a diary")


def test_a_database_of_a_newer_version_is_left_alone(database):
    with database.write() as session:
        session.connection().exec_driver_sql("update alembic_version set version_num = '9999'")
    with pytest.raises(UnusableDatabase, match="9999"):
        database.migrate()


def test_sqlite_checks_references_and_lets_readers_read_while_one_writes(database, tmp_path):
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(Result(submission=77, position=1, result="{}"))
    with database.write() as writing, database.read() as reading:
        writing.add(Progress(learner="nobody", exercise="ch1/double"))
        assert reading.scalars(select(Progress)).all() == []
        writing.rollback()
    with sqlite3.connect(tmp_path / "site.sqlite3") as plain:
        assert plain.execute("pragma journal_mode").fetchone() == ("wal",)


# --- the queue ----------------------------------------------------------------------------------


def test_each_submission_is_claimed_by_one_worker_in_the_order_of_coming(database):
    made = [
        submit(database, f"{number:032x}", f"a = {number}").submission.number
        for number in range(40)
    ]
    others = [database, Database(database.url)]

    def work(number: int) -> list[int]:
        taken = []
        while claimed := claim(others[number % 2], f"worker-{number}"):
            taken.append(claimed.number)
        return taken

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(work, range(8)))
    assert sorted(number for each in taken for number in each) == made
    assert all(each == sorted(each) for each in taken)
    others[1].close()


def test_two_first_requests_of_a_learner_at_once_are_one_learner(database):
    sources = [f"a = {number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda source: submit(database, "7" * 32, source), sources))
    with database.read() as session:
        states = [session.get_one(Submission, t.submission.number).state for t in taken]
    # One waits, and each of the others was replaced by a later one.
    assert sorted(states) == [State.REPLACED] * 7 + [State.WAITING]


def test_a_learner_has_one_running_and_content_runs_once(database):
    submit(database, "1" * 32, "a = 1")
    first = claim(database)
    submit(database, "1" * 32, "a = 2")
    submit(database, "2" * 32, "a = 1")
    third = submit(database, "3" * 32, "a = 3").submission
    assert claim(database).number == third.number
    assert claim(database) is None
    with database.write() as session:
        claims.finish(session, first, verdict_of(first))
    # Now both may go on, and one of them is answered already.
    freed = [claim(database), claim(database)]
    with database.write() as session:
        assert [claims.reuse_earlier(session, each) for each in freed] == [False, True]


@pytest.mark.parametrize(
    ("isolation", "require_tier", "reused"),
    [
        ("tier 2 (namespaces, seccomp)", 2, True),
        ("tier 2 (namespaces, seccomp)", 1, False),
        ("tier 4, unverified (no walls)", 4, True),
        ("tier 4, unverified (no walls)", 3, False),
        ("", 4, True),
        ("", 3, False),
    ],
)
def test_a_verdict_from_behind_weaker_walls_is_not_given_again(
    database, isolation, require_tier, reused
):
    submit(database, "1" * 32, "a = 1")
    graded = claim(database)
    verdict = verdict_of(graded)
    verdict.isolation = isolation
    with database.write() as session:
        claims.finish(session, graded, verdict)
        taken = submissions.take_in(
            session, "2" * 32, EXERCISE, "a = 1", queue_limit=9, require_tier=require_tier
        )
        assert taken.submission.reused is reused
    if not reused:
        with database.write() as session:
            again = claims.claim_next(session, "a-worker")
            assert not claims.reuse_earlier(session, again, require_tier)
            assert claims.reuse_earlier(session, again)


def test_a_worker_that_was_given_up_cannot_write_into_what_another_has_begun(database):
    submit(database, "1" * 32)
    lost = claim(database, "lost")
    with database.write() as session:
        claims.note_results(session, lost, 1, [result("first")])
        assert claims.recover(session, "lost") == [lost.number]
    again = claim(database, "other")
    assert again.attempt == 2 and again.number == lost.number
    with database.write() as session:
        claims.note_results(session, lost, 2, [result("late")])
        claims.finish(session, lost, verdict_of(lost, Outcome.WRONG))
        assert not claims.reuse_earlier(session, lost)
        claims.note_results(session, again, 1, [result("mine")])
    with database.read() as session:
        assert session.get_one(Submission, lost.number).state is State.RUNNING
        (kept,) = session.scalars(select(Result.result))
        assert '"mine"' in kept


def test_what_an_ending_worker_gives_back_does_not_count_as_lost(database):
    submit(database, "1" * 32)
    for attempt in range(1, 6):
        held = claim(database)
        assert held.attempt == attempt
        with database.write() as session:
            claims.release(session, "a-worker")


def result(name: str) -> TestResult:
    return TestResult(
        name=name,
        outcome=Outcome.PASSED,
        visibility=Visibility.EXAMPLE,
        title=EXERCISE.tests[0].title,
    )
