"""The interface for programs: what each address answers. Nothing is graded here."""

from __future__ import annotations

import pytest
from site_parts import (
    NO_REFUSAL,
    SOLUTION,
    Visitor,
    conclude,
    copy_course,
    error_of,
    make_app,
    parse_events,
    site_of,
)

from judge.verdict import Outcome


@pytest.fixture
def app(tmp_path):
    copy_course(tmp_path / "course")
    app = make_app(tmp_path, queue_limit=2)
    yield app
    site_of(app).database.close()


@pytest.fixture
def visitor(app):
    return Visitor(app)


# --- exercises ---------------------------------------------------------------------------------


def test_the_list_has_all_exercises_in_their_order(visitor):
    (chapter,) = visitor.get("/api/v1/exercises").json["chapters"]
    assert chapter["name"] == "ch1" and chapter["title"]["zh"]
    assert [e["id"] for e in chapter["exercises"]] == ["ch1/double", "ch1/relay", "ch1/again"]
    relay = chapter["exercises"][1]
    assert relay["title"] == {"en": "Pass it on", "zh": "传下去"} and relay["difficulty"] == 2
    assert relay["prerequisites"] == ["ch1/double"] and relay["state"] == "new"


def test_an_exercise_has_all_that_a_page_needs(visitor):
    detail = visitor.get("/api/v1/exercises/ch1/double").json
    assert detail["stub"].startswith('"""Double a value."""')
    assert [test["name"] for test in detail["example_tests"]] == ["test_number", "test_tensor"]
    assert "learner.double(4)" in detail["example_tests"][0]["code"]
    assert detail["module"] == "minisgl.double" and detail["provides"] == ["double"]
    assert (detail["hints_total"], detail["hints_shown"], detail["hints"]) == (1, 0, [])
    assert detail["gate"] == [] and detail["bundle"]["exercise"] == "ch1/double"
    assert set(detail["statement_html"]) == {"en", "zh"} and "<p>" in detail["statement_html"]["en"]
    only = visitor.get("/api/v1/exercises/ch1/double?lang=zh").json["statement_html"]
    assert only == {"zh": detail["statement_html"]["zh"]}
    assert error_of(visitor.get("/api/v1/exercises/ch1/double?lang=fr")) == "bad_language"


def test_hints_come_one_at_a_time(visitor):
    address = "/api/v1/exercises/ch1/double"
    hint = visitor.post(f"{address}/hints").json
    assert (hint["number"], hint["total"]) == (1, 1) and hint["hint"]["en"] and hint["hint"]["zh"]
    detail = visitor.get(address).json
    assert detail["hints"] == [hint["hint"]] and detail["hints_shown"] == 1
    response = visitor.post(f"{address}/hints")
    assert response.status_code == 409 and error_of(response) == "no_more_hints"


def test_the_solution_is_shown_to_who_asks_or_has_solved_it(app, visitor):
    address = "/api/v1/exercises/ch1/double/solution"
    for body in (None, {}, {"asked": False}):
        response = visitor.post(address, body)
        assert response.status_code == 403 and error_of(response) == "not_solved"
    assert "def double" in visitor.post(address, {"asked": True}).json["source"]
    # That is remembered.
    assert visitor.post(address).status_code == 200
    assert visitor.get("/api/v1/exercises/ch1/double").json["solution_asked"] is True
    other = Visitor(app)
    assert other.post(address).status_code == 403
    other.submit(SOLUTION)
    conclude(app)
    assert other.post(address).status_code == 200
    assert other.get("/api/v1/exercises/ch1/double").json["solution_asked"] is False


def test_an_exercise_that_gives_another_away_is_closed_until_then(app, visitor):
    address = "/api/v1/exercises/ch1/again"
    detail = visitor.get(address).json
    assert detail["bundle"] is None
    assert detail["gate"] == [{"id": "ch1/double", "title": {"en": "Twice as much", "zh": "翻倍"}}]
    assert detail["stub"] and detail["statement_html"]
    response = visitor.post("/api/v1/submissions", {"exercise": "ch1/again", "source": SOLUTION})
    assert response.status_code == 403 and error_of(response) == "gives_away"
    assert response.json["error"]["exercises"] == ["ch1/double"]
    visitor.post("/api/v1/exercises/ch1/double/solution", {"asked": True})
    assert visitor.get(address).json["bundle"]["exercise"] == "ch1/again"
    visitor.submit(SOLUTION, "ch1/again")
    solver = Visitor(app)
    solver.submit(SOLUTION)
    conclude(app)
    conclude(app)
    assert solver.get(address).json["gate"] == []


def test_progress_counts_what_is_solved(app, visitor):
    visitor.submit(NO_REFUSAL)
    conclude(app, Outcome.WRONG)
    report = visitor.get("/api/v1/progress").json
    assert (report["solved"], report["total"]) == (0, 3)
    visitor.submit(SOLUTION)
    conclude(app)
    # Once solved, it stays so.
    visitor.submit(NO_REFUSAL + "\n")
    conclude(app, Outcome.WRONG)
    report = visitor.get("/api/v1/progress").json
    assert (report["solved"], report["total"]) == (1, 3)
    (chapter,) = report["chapters"]
    assert (chapter["solved"], chapter["total"]) == (1, 3)
    assert [e["state"] for e in report["exercises"]] == ["solved", "new", "new"]


# --- submissions -------------------------------------------------------------------------------


def test_the_queue_has_places_and_an_end(app, visitor):
    first, second, third = visitor, Visitor(app), Visitor(app)
    assert first.submit("a = 1")["place"] == 1
    waiting = second.submit("b = 1")
    assert waiting["place"] == 2
    response = third.post("/api/v1/submissions", {"exercise": "ch1/double", "source": "c = 1"})
    assert response.status_code == 503 and error_of(response) == "queue_full"
    assert int(response.headers["Retry-After"]) > 0
    # What was refused is not kept.
    assert third.get("/api/v1/submissions").json["submissions"] == []
    # Who waits already needs no place of their own, and keeps the one they have.
    newer = first.submit("a = 2")
    assert newer["place"] == 1 and newer["replaced"]
    conclude(app)
    assert second.read(waiting)["place"] == 1
    assert third.submit("c = 1")["place"] == 2


def test_code_that_is_known_already_needs_no_place_in_the_queue(app, visitor):
    visitor.submit(SOLUTION)
    conclude(app)
    fillers = [Visitor(app), Visitor(app)]
    for number, filler in enumerate(fillers):
        filler.submit(f"a = {number}")
    taken = Visitor(app).submit(SOLUTION)
    assert taken["reused"] and taken["state"] == "done" and taken["place"] is None
    # It takes the place of the same learner's waiting attempt at the exercise.
    assert fillers[0].submit(SOLUTION)["replaced"]


@pytest.mark.parametrize("outcome", [Outcome.INTERNAL, Outcome.TIMEOUT, Outcome.CRASHED])
def test_a_verdict_that_a_busy_machine_may_have_given_is_not_used_again(app, visitor, outcome):
    visitor.submit(SOLUTION)
    conclude(app, outcome)
    taken = visitor.submit(SOLUTION)
    assert not taken["reused"] and taken["state"] == "waiting"


def test_changed_tests_grade_anew(app, visitor, tmp_path):
    visitor.submit(SOLUTION)
    conclude(app)
    tests = tmp_path / "course/exercises/ch1/double/test_hidden.py"
    tests.write_text(tests.read_text("utf-8") + "\n# changed\n", "utf-8")
    assert not Visitor(app).submit(SOLUTION)["reused"]


def test_a_waiting_submission_tells_its_place_at_once(visitor):
    taken = visitor.submit("a = 1")
    stream = parse_events(visitor.get(taken["events"]).response)
    assert next(stream) == {"id": None, "event": "waiting", "data": {"place": 1}}
    stream.close()


def test_a_submission_is_kept_with_its_code(app, visitor):
    source = "﻿# 翻倍 🎉\r\ndouble = None\r\n"
    taken = visitor.submit(source)
    read = visitor.read(taken)
    # As the judge reads it: without a byte order mark, else as it was.
    assert read["source"] == source.removeprefix("﻿")
    assert read["verdict"] is None and read["finished"] is None and read["place"] == 1
    assert read["created"].endswith("Z")


def test_the_history_is_in_pages_newest_first(app, visitor):
    made = []
    for number in range(5):
        made.insert(0, visitor.submit(f"a = {number}")["id"])
        conclude(app)
    page = visitor.get("/api/v1/submissions?limit=2").json
    assert [row["id"] for row in page["submissions"]] == made[:2] and page["next"] == made[1]
    assert "source" not in page["submissions"][0]
    assert page["submissions"][0]["outcome"] == "passed"
    page = visitor.get(f"/api/v1/submissions?limit=2&cursor={page['next']}").json
    assert [row["id"] for row in page["submissions"]] == made[2:4]
    page = visitor.get(f"/api/v1/submissions?limit=2&cursor={page['next']}").json
    assert [row["id"] for row in page["submissions"]] == made[4:] and page["next"] is None
    none = visitor.get("/api/v1/submissions?exercise=ch1/relay").json
    assert none == {"submissions": [], "next": None}
    assert visitor.get("/api/v1/submissions?cursor=nothing").json["submissions"] == []
    for limit in ("0", "-1", "x", "101", "١", "9" * 5000):
        response = visitor.get("/api/v1/submissions", query_string={"limit": limit})
        assert response.status_code == 422 and error_of(response) == "bad_limit"
