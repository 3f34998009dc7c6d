"""Learners: nobody is asked who they are, everybody stays who they were, and nobody is another."""

from __future__ import annotations

import stat

import pytest
from site_parts import SOLUTION, Visitor, make_app, site_of


@pytest.fixture
def app(tmp_path):
    app = make_app(tmp_path)
    yield app
    site_of(app).database.close()


def cookie_of(visitor, app):
    return visitor.client.get_cookie(app.config["SESSION_COOKIE_NAME"])


def test_no_learner_sees_anything_of_another(app):
    one, other = Visitor(app), Visitor(app)
    taken = one.submit(SOLUTION)
    one.post("/api/v1/exercises/ch1/double/hints")
    one.post("/api/v1/exercises/ch1/double/solution", {"asked": True})
    nowhere = other.get("/api/v1/submissions/" + "0" * 32)
    for address in (taken["location"], taken["events"]):
        response = other.get(address)
        # Not even whether it exists.
        assert response.status_code == 404 and response.data == nowhere.data
    assert other.get("/api/v1/submissions").json["submissions"] == []
    after = other.get("/api/v1/submissions", query_string={"cursor": taken["id"]}).json
    assert after["submissions"] == []
    detail = other.get("/api/v1/exercises/ch1/double").json
    assert detail["hints"] == [] and detail["solution_asked"] is False
    assert detail["state"] == "new"
    assert one.read(taken)["source"] == SOLUTION


def test_the_cookie_is_kept_from_scripts_and_foreign_pages_and_lasts(app):
    header = app.test_client().get("/api/v1/progress").headers["Set-Cookie"]
    assert "HttpOnly" in header and "SameSite=Lax" in header and "Path=/" in header
    assert "Secure" not in header
    assert "Expires=" in header
    visitor = Visitor(app)
    # Each visit begins its time anew.
    assert "Expires=" in visitor.get("/api/v1/progress").headers["Set-Cookie"]


def test_the_cookie_is_for_https_alone_where_there_is_https(tmp_path):
    app = make_app(tmp_path, https=True)
    response = app.test_client().get("/api/v1/progress", base_url="https://localhost")
    assert "Secure" in response.headers["Set-Cookie"]
    site_of(app).database.close()


def test_a_cookie_that_was_changed_is_somebody_new(app):
    visitor = Visitor(app)
    taken = visitor.submit(SOLUTION)
    cookie = cookie_of(visitor, app)
    head, _, tail = cookie.value.partition(".")
    for forged in (f"{head}x.{tail}", f"{head}.{tail}x", head, "", "é", "a" * 4000):
        thief = app.test_client()
        thief.set_cookie(cookie.key, forged)
        assert thief.get(taken["location"]).status_code == 404
    same = app.test_client()
    same.set_cookie(cookie.key, cookie.value)
    assert same.get(taken["location"]).status_code == 200


def test_a_cookie_of_another_site_on_this_machine_is_another_cookie(app, tmp_path):
    other = make_app(tmp_path / "other")
    assert other.config["SESSION_COOKIE_NAME"] != app.config["SESSION_COOKIE_NAME"]
    site_of(other).database.close()


def test_the_key_is_drawn_once_and_for_this_user_alone(app, tmp_path):
    key = tmp_path / "data" / "secret.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600 and len(key.read_bytes()) == 32
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    database = tmp_path / "data" / "site.sqlite3"
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    before = key.read_bytes()
    site_of(make_app(tmp_path)).database.close()
    assert key.read_bytes() == before
    assert sorted(path.name for path in key.parent.glob("secret*")) == ["secret.key"]


def test_a_key_that_was_cut_short_is_not_used(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret.key").write_bytes(b"short")
    with pytest.raises(OSError, match="32 bytes"):
        make_app(tmp_path)


def test_looking_around_keeps_nothing_about_anybody(app):
    Visitor(app).get("/api/v1/exercises")
    with site_of(app).database.connect() as connection:
        count = connection.exec_driver_sql("select count(*) from learners").scalar()
    assert count == 0
