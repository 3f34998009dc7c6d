"""A submission's way through the site: kept, queued, graded by the real judge, told as it happens."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from site_parts import (
    NO_REFUSAL,
    SOLUTION,
    Visitor,
    closing_stream,
    copy_course,
    grading,
    make_app,
    site_of,
    slow,
    wait_until,
)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    copy_course(folder / "course")
    app = make_app(folder)
    with grading(app):
        yield app


@pytest.fixture
def visitor(app):
    return Visitor(app)


def unique(source: str) -> str:
    """The same program as a text that nobody has submitted before."""
    return f"{source}\n# {os.urandom(8).hex()}\n"


def test_a_submission_is_graded_and_told_test_by_test(visitor):
    taken = visitor.submit(unique(SOLUTION))
    assert taken["state"] == "waiting" and taken["place"] == 1 and not taken["reused"]
    events = list(visitor.follow(taken))
    kinds = [event["event"] for event in events if event["event"] != "waiting"]
    assert kinds == ["running", *["result"] * 9, "done"]
    verdict = events[-1]["data"]["verdict"]
    assert (verdict["verdict"], verdict["status"], verdict["suite"]) == ("passed", "pass", "all")
    told = [event["data"] for event in events if event["event"] == "result"]
    assert [test["name"] for test in told] == [test["name"] for test in verdict["tests"]]
    assert {test["visibility"] for test in told} == {"example", "hidden"}
    assert [event["id"] for event in events if event["id"]] == [
        *(f"1-{number}" for number in range(10)),
        "1-end",
    ]
    read = visitor.read(taken)
    assert read["state"] == "done" and read["verdict"] == verdict and read["place"] is None
    assert (read["outcome"], read["passed_tests"], read["tests"]) == ("passed", 9, 9)
    assert read["created"] <= read["finished"]
    solved = {e["id"]: e["state"] for e in visitor.get("/api/v1/progress").json["exercises"]}
    assert solved == {"ch1/double": "solved", "ch1/relay": "new", "ch1/again": "new"}


def test_a_wrong_solution_gets_its_explanation_and_counts_as_tried(visitor):
    verdict = visitor.verdict(visitor.submit(unique(NO_REFUSAL)))
    assert verdict["verdict"] == "wrong" and verdict["blame"] == "learner"
    assert [each["wrong"] for each in verdict["explanations"]] == ["no_refusal"]
    row = visitor.get("/api/v1/exercises/ch1/double").json
    assert (row["state"], row["passed_tests"], row["tests"]) == ("tried", 8, 9)


def test_a_broken_off_stream_goes_on_where_it_was(visitor):
    taken = visitor.submit(unique(SOLUTION))
    seen = []
    with closing_stream(visitor.follow(taken)) as events:
        for event in events:
            if event["id"]:
                seen.append(event)
            if len(seen) == 4:
                break
    rest = list(visitor.follow(taken, seen[-1]["id"]))
    assert [event["id"] for event in [*seen, *rest] if event["id"]] == [
        *(f"1-{number}" for number in range(10)),
        "1-end",
    ]
    # After the end, the reader is told to stay away.
    again = visitor.get(taken["events"], headers={"Last-Event-ID": rest[-1]["id"]})
    assert again.status_code == 204 and not again.data
    # Whatever is no id of ours begins at the beginning.
    for odd in ("", "7", "x-1", "-1-1", "1-١", "9" * 50 + "-1"):
        events = list(visitor.follow(taken, odd))
        assert [e["event"] for e in events] == ["running", *["result"] * 9, "done"]


def test_many_readers_of_one_submission_see_the_same(visitor):
    taken = visitor.submit(slow(0.5) + unique(""))
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(lambda _: list(visitor.follow(taken)), range(4)))
    told = [[(e["event"], e["id"]) for e in events if e["event"] != "waiting"] for events in seen]
    assert told[0][-1] == ("done", "1-end")
    assert all(each == told[0] for each in told)


def test_the_same_code_is_graded_once_for_everybody(app, visitor):
    source = unique(slow(1.0))
    first = visitor.submit(source)
    other = Visitor(app)
    second = other.submit(source)
    assert second["id"] != first["id"] and not second["reused"]
    verdicts = [visitor.verdict(first), other.verdict(second)]
    assert verdicts[0] == verdicts[1] and verdicts[0]["verdict"] == "passed"
    # Not only alike: the seed and the durations would differ if it had been graded again.
    assert visitor.read(first)["reused"] is False and other.read(second)["reused"] is True
    third = Visitor(app).submit(source)
    assert third["reused"] and third["state"] == "done"
    assert other.get("/api/v1/exercises/ch1/double").json["state"] == "solved"


def test_one_runs_and_one_waits_and_a_newer_one_takes_its_place(visitor):
    running = visitor.submit(unique(slow(4.0)))
    visitor.wait_for(running, "running")
    waiting = visitor.submit(unique(SOLUTION))
    # The judge has room for two, but not for two of one learner.
    assert waiting["state"] == "waiting" and waiting["place"] == 1
    newer = visitor.submit(unique(NO_REFUSAL))
    assert newer["replaced"] == waiting["id"] and newer["place"] == 1
    events = list(visitor.follow(waiting))
    assert [(e["event"], e["data"]) for e in events] == [("replaced", {"by": newer["id"]})]
    assert visitor.read(waiting)["state"] == "replaced"
    assert visitor.read(waiting)["replaced_by"] == newer["id"]
    assert visitor.read(running)["state"] == "running"
    # The very same code once more is the submission that waits already.
    again = visitor.submit(visitor.read(newer)["source"])
    assert again["id"] == newer["id"] and again["replaced"] is None
    assert visitor.verdict(running)["verdict"] == "passed"
    assert visitor.verdict(newer)["verdict"] == "wrong"


def test_a_killed_worker_is_replaced_and_its_submission_graded_again_once(app, visitor):
    taken = visitor.submit(unique(slow(3.0)))
    attempts = []
    for event in visitor.follow(taken):
        if event["event"] == "running":
            attempts.append(event["data"]["attempt"])
            if attempts == [1]:
                kill_worker(app)
        if event["event"] == "done":
            assert event["data"]["verdict"]["verdict"] == "passed"
    assert attempts == [1, 2]
    assert app.test_client().get("/healthz").json["status"] == "ok"


def test_a_submission_that_loses_its_worker_twice_is_given_up(app, visitor):
    taken = visitor.submit(unique(slow(50.0)))
    kinds = []
    for event in visitor.follow(taken):
        kinds.append(event["event"])
        if event["event"] == "running":
            kill_worker(app)
    assert kinds.count("running") == 2 and kinds[-1] == "done"
    read = visitor.read(taken)
    assert read["verdict"]["verdict"] == "internal" and read["verdict"]["blame"] == "judge"
    assert read["verdict"]["message"] and read["verdict"]["message_zh"]
    # It says nothing about the code, so it is neither counted nor used again.
    assert visitor.get("/api/v1/exercises/ch1/double").json["state"] == "new"
    once_more = visitor.submit(read["source"])
    assert once_more["id"] != taken["id"] and not once_more["reused"]


def kill_worker(app) -> None:
    (number,) = site_of(app).workers.process_ids
    os.kill(number, signal.SIGKILL)


def test_what_was_being_graded_when_the_site_ended_is_graded_at_the_next_start(tmp_path):
    copy_course(tmp_path / "course")
    app = make_app(tmp_path)
    visitor = Visitor(app)
    source = unique(slow(3.0))
    with grading(app):
        taken = visitor.submit(source)
        with closing_stream(visitor.follow(taken)) as events:
            while next(events)["event"] != "running":
                pass
            site_of(app).bulletin.close()
            # The stream ends itself, so that no thread keeps the site from ending.
            assert [event["event"] for event in events if event["event"] != "result"] == []
    assert visitor.read(taken)["state"] == "waiting"
    # The cookie still holds: the key lies in the data folder.
    later = make_app(tmp_path)
    cookie = visitor.client.get_cookie(app.config["SESSION_COOKIE_NAME"])
    visitor.client = later.test_client()
    visitor.client.set_cookie(cookie.key, cookie.value)
    with grading(later):
        events = list(visitor.follow(taken))
        # It begins anew, and says so, even to a reader who had seen the first results.
        assert [e["data"]["attempt"] for e in events if e["event"] == "running"] == [2]
        assert events[-1]["data"]["verdict"]["verdict"] == "passed"
        # A site that shares the database but not the worker: nobody calls it, and it comes all the same.
        unheard = make_app(tmp_path)
        visitor.client = unheard.test_client()
        visitor.client.set_cookie(cookie.key, cookie.value)
        quiet = visitor.submit(unique(SOLUTION))
        wait_until(lambda: visitor.read(quiet)["state"] == "done", "a submission without a call")
        site_of(unheard).database.close()
