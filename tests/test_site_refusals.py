"""What the interface refuses, each time in words: hostile bodies, unknown addresses, failures inside."""

from __future__ import annotations

import pytest
from site_parts import SOLUTION, Visitor, conclude, copy_course, error_of, make_app, site_of

from judge.grade.submission import MAX_SOURCE_BYTES


@pytest.fixture
def app(tmp_path):
    copy_course(tmp_path / "course")
    app = make_app(tmp_path)
    yield app
    site_of(app).database.close()


@pytest.fixture
def visitor(app):
    return Visitor(app)


@pytest.mark.parametrize("name", ["ch1/nothing", "ch9/double", "..%2f/etc", "ch1/double%00"])
def test_an_exercise_that_is_not_there(visitor, name):
    for response in (
        visitor.get(f"/api/v1/exercises/{name}"),
        visitor.post(f"/api/v1/exercises/{name}/hints"),
        visitor.post(f"/api/v1/exercises/{name}/solution", {"asked": True}),
    ):
        assert response.status_code == 404 and error_of(response) in (
            "no_such_exercise",
            "not_found",
        )
    response = visitor.post("/api/v1/submissions", {"exercise": name, "source": SOLUTION})
    assert response.status_code == 404 and error_of(response) == "no_such_exercise"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 415, "unsupported_media_type"),
        (b"{", 400, "not_json"),
        (b"\xff\xfe", 400, "not_json"),
        (b'{"exercise": "ch1/double", "source": "\xff"}', 400, "not_json"),
        (b'{"exercise": "ch1/double", "source": "\\ud800"}', 400, "not_json"),
        (b"[" * 100_000, 422, "wrong_shape"),
        (b'{"exercise":' * 5000 + b"1" + b"}" * 5000, 422, "wrong_shape"),
        (b'{"source": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001, 422, "wrong_shape"),
        (b'{"asked": true, ' * 2, 422, "wrong_shape"),
        (b"null", 422, "wrong_shape"),
        (b"[]", 422, "wrong_shape"),
        (b"{}", 422, "wrong_shape"),
        (b'{"exercise": "ch1/double"}', 422, "wrong_shape"),
        (b'{"exercise": "ch1/double", "source": 1}', 422, "wrong_shape"),
        (b'{"exercise": "ch1/double", "source": "a", "suite": "hidden"}', 422, "wrong_shape"),
        (b'{"exercise": "%s", "source": "a"}' % (b"x" * 300), 422, "wrong_shape"),
        (b'{"exercise": "ch1/double", "source": ""}', 422, "bad_source"),
        (b'{"exercise": "ch1/double", "source": " \\n"}', 422, "bad_source"),
        (b'{"exercise": "ch1/double", "source": "a\\u0000b"}', 422, "bad_source"),
        (b'{"exercise": "", "source": "a"}', 404, "no_such_exercise"),
        (b'{"exercise": "../../etc/passwd", "source": "a"}', 404, "no_such_exercise"),
    ],
)
def test_hostile_bodies_are_refused_in_words(visitor, body, status, code):
    kind = "application/json" if body else "text/plain"
    response = visitor.post("/api/v1/submissions", data=body, content_type=kind)
    assert (response.status_code, error_of(response)) == (status, code)
    assert visitor.get("/api/v1/submissions").json["submissions"] == []


def test_the_largest_source_is_taken_however_it_is_written(app):
    for source in (
        "#" * MAX_SOURCE_BYTES,
        "#" + "\n" * (MAX_SOURCE_BYTES - 1),
        "#" + "\x01" * (MAX_SOURCE_BYTES - 1),
    ):
        Visitor(app).submit(source)
        conclude(app)
    visitor = Visitor(app)
    for source in ("#" * (MAX_SOURCE_BYTES + 1), "#" + "界" * (MAX_SOURCE_BYTES // 3 + 1)):
        response = visitor.post("/api/v1/submissions", {"exercise": "ch1/double", "source": source})
        assert response.status_code == 413 and error_of(response) == "too_large"
    huge = visitor.post(
        "/api/v1/submissions", data=b" " * 8 * 2**20, content_type="application/json"
    )
    assert huge.status_code == 413 and error_of(huge) == "too_large"


def test_unknown_addresses_and_methods(visitor):
    response = visitor.get("/api/v1/nothing")
    assert response.status_code == 404 and error_of(response) == "not_found"
    response = visitor.client.put("/api/v1/submissions")
    assert response.status_code == 405 and error_of(response) == "method_not_allowed"
    assert {"GET", "POST"} <= set(response.headers["Allow"].split(", "))
    response = visitor.get("/api/v1/submissions/0123456789abcdef0123456789abcdef")
    assert response.status_code == 404 and error_of(response) == "not_found"


def test_health_says_that_nobody_grades_here(visitor):
    response = visitor.get("/healthz")
    assert response.status_code == 503
    assert response.json == {
        "status": "failing",
        "database": True,
        "workers": {"wanted": 1, "ready": 0},
    }


def test_health_says_that_the_database_is_gone(app, tmp_path):
    site_of(app).database.close()
    for file in (tmp_path / "data").glob("site.sqlite3*"):
        file.unlink()
    response = app.test_client().get("/healthz")
    assert response.status_code == 503 and response.json["database"] is False


def test_what_breaks_inside_is_told_without_its_inside(app, visitor, monkeypatch):
    def fail(_: str) -> None:
        raise RuntimeError("/secret/path of a traceback")

    monkeypatch.setattr(site_of(app).course, "bundle", fail)
    response = visitor.get("/api/v1/exercises/ch1/double")
    assert response.status_code == 500 and error_of(response) == "internal_error"
    assert "secret" not in response.text
