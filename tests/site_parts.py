"""What the tests of the site share: a copy of the small course, a site on it, and its visitors."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from judge.verdict import Outcome, Verdict
from web.site import Rates, Settings, Site, claims, create_app
from web.site.site import EXTENSION

COURSE = Path(__file__).parent / "course"
SOLUTION = (COURSE / "reference/solutions/ch1/double.py").read_text("utf-8")
NO_REFUSAL = (COURSE / "exercises/ch1/double/wrong/no_refusal.py").read_text("utf-8")
# Passes, after it has slept in the first test for as long as a test needs to do something meanwhile.
SLOW = SOLUTION.replace(
    "def double(value):\n",
    "def double(value):\n    if type(value) is int and value == 4:\n        __import__('time').sleep({seconds})\n",
)
assert "sleep" in SLOW

WAIT_SECONDS = 90.0
NO_LIMITS = Rates(
    learner_submissions=10**6,
    address_submissions=10**6,
    learner_changes=10**6,
    address_changes=10**6,
    address_reads=10**6,
)

# Planted where no learner may look; none of them may ever leave the site.
HIDDEN_CODE = "marker-of-a-hidden-test"
HIDDEN_VALUE = 2718281828459
UNSOLVED = "marker-of-a-reference-solution"
UNSOLVED_SUPPORT = "marker-of-another-reference-solution"

READING = {
    "en": "# A chapter\n\nIt begins.\n\n## Numbers & `int`\n\n**Exercise:** [`double`](double/)\n\n"
    "## Queues\n\nSee [again](again/) and [relay](relay/).\n",
    "zh": "# 一章\n\n开始。\n\n## 数与 `int`\n\n**练习：** [`double`](double/)\n\n"
    "## 队列\n\n见 [again](again/) 和 [relay](relay/)。\n",
}
# What right answers say; nobody reads it before they have answered or asked.
EXPLANATION = "marker-of-an-explanation"
SELF_TEST = f"""
[[questions]]
name = "one-of-three"
kind = "single"
text = {{ en = "Which `number` is even?", zh = "哪个数是偶数？" }}
explanation = {{ en = "{EXPLANATION} `2`", zh = "{EXPLANATION} 中文" }}
choices = [
  {{ text = {{ en = "one", zh = "一" }}, remark = {{ en = "One is `odd`.", zh = "一是奇数。" }} }},
  {{ text = {{ en = "two", zh = "二" }}, right = true }},
  {{ text = {{ en = "three", zh = "三" }}, remark = {{ en = "Three is odd.", zh = "三是奇数。" }} }},
]

[[questions]]
name = "two-of-three"
kind = "multiple"
text = {{ en = "Which numbers are odd?", zh = "哪些数是奇数？" }}
explanation = {{ en = "{EXPLANATION}", zh = "{EXPLANATION}" }}
choices = [
  {{ text = {{ en = "1", zh = "1" }}, right = true }},
  {{ text = {{ en = "2", zh = "2" }}, remark = {{ en = "Two is even.", zh = "二是偶数。" }} }},
  {{ text = {{ en = "3", zh = "3" }}, right = true }},
]

[[questions]]
name = "a-number"
kind = "number"
number = 6000
text = {{ en = "Four times 1,500?", zh = "1500 的四倍？" }}
explanation = {{ en = "{EXPLANATION}", zh = "{EXPLANATION}" }}

[[questions]]
name = "a-text"
kind = "text"
accepted = ["XPUB", "zmq.XPUB"]
text = {{ en = "Which socket?", zh = "哪种套接字？" }}
explanation = {{ en = "{EXPLANATION}", zh = "{EXPLANATION}" }}
"""


def slow(seconds: float) -> str:
    return SLOW.replace("{seconds}", str(seconds))


def copy_course(folder: Path) -> Path:
    """The small course, with time enough for a loaded machine and an exercise behind a gate."""
    for name in ("exercises", "reference"):
        ignored = shutil.ignore_patterns("__pycache__", ".pytest_cache")
        shutil.copytree(COURSE / name, folder / name, ignore=ignored)
    exercise = folder / "exercises/ch1/double"
    _replace(exercise / "exercise.toml", "test_seconds = 1.0", "test_seconds = 60.0")
    _replace(exercise / "exercise.toml", "submission_seconds = 3.0", "submission_seconds = 120.0")
    _replace(
        exercise / "test_hidden.py",
        "    assert_same(learner.double(123456789), 246913578)\n",
        f"    assert_same(learner.double({HIDDEN_VALUE // 2} + 0.5), {HIDDEN_VALUE}.0)"
        f"  # {HIDDEN_CODE}\n",
    )
    solution = folder / "reference/solutions/ch1/double.py"
    solution.write_text(f"{SOLUTION}\n# {UNSOLVED}\n", "utf-8")
    write_chapter_texts(folder / "exercises/ch1")
    # `again` sees the module of `double`, so it gives that solution away.
    again = folder / "exercises/ch1/again"
    shutil.copytree(exercise, again)
    _replace(again / "exercise.toml", "order = 1\n", "order = 3\n")
    _replace(again / "exercise.toml", "uses = []", 'uses = ["minisgl.double"]')
    _replace(again / "exercise.toml", '"minisgl.double"\np', '"minisgl.again"\np')
    shutil.copyfile(solution, folder / "reference/solutions/ch1/again.py")
    module = folder / "reference/minisgl/double.py"
    module.write_text(f"{SOLUTION}\n# {UNSOLVED_SUPPORT}\n", "utf-8")
    return folder


def write_chapter_texts(chapter: Path) -> None:
    """A reading and a self-test, with a question of every kind."""
    for language, text in READING.items():
        (chapter / f"reading.{language}.md").write_text(text, "utf-8")
    (chapter / "self-test.toml").write_text(SELF_TEST, "utf-8")


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new), "utf-8")


def make_app(folder: Path, **more: Any) -> Flask:
    """The site on the course in `folder`/course, or on the small course itself; it does not grade yet."""
    root = folder / "course"
    settings = {
        "data": folder / "data",
        "root": root if root.exists() else COURSE,
        "gradings": 2,
        "rates": NO_LIMITS,
        **more,
    }
    return create_app(Settings(**settings))


def site_of(app: Flask) -> Site:
    return app.extensions[EXTENSION]


@contextmanager
def grading(app: Flask) -> Iterator[Site]:
    """The app's site while it grades."""
    site = site_of(app)
    try:
        site.start()
        site.workers.wait_until_ready()
        yield site
    finally:
        site.stop()
        site.database.close()


class Visitor:
    """One learner's browser: a cookie of its own, and the token that goes with it."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.token = self.client.get("/api/v1/token").json["csrf_token"]

    def get(self, address: str, **more: Any) -> TestResponse:
        return self.client.get(address, **more)

    def post(self, address: str, body: Any = None, **more: Any) -> TestResponse:
        headers = {"X-CSRFToken": self.token, **more.pop("headers", {})}
        if body is not None:
            more["json"] = body
        return self.client.post(address, headers=headers, **more)

    def submit(self, source: str, exercise: str = "ch1/double") -> dict[str, Any]:
        """Submit, and expect it to be taken."""
        response = self.post("/api/v1/submissions", {"exercise": exercise, "source": source})
        assert response.status_code == 202, response.text
        assert response.headers["Location"] == response.json["location"]
        return response.json

    def follow(self, submission: dict[str, Any], last_id: str = "") -> Iterator[dict[str, Any]]:
        """The events of a submission as they come, each with its `id`, `event` and `data`."""
        headers = {"Last-Event-ID": last_id} if last_id else {}
        response = self.client.get(submission["events"], headers=headers)
        assert response.status_code == 200, response.text
        assert response.mimetype == "text/event-stream"
        yield from parse_events(response.response)

    def wait_for(self, submission: dict[str, Any], event: str) -> dict[str, Any]:
        """The first event of this kind; all before it are passed over."""
        with closing_stream(self.follow(submission)) as events:
            for each in events:
                if each["event"] == event:
                    return each
        raise AssertionError(f"the stream ended without {event}")

    def read(self, submission: dict[str, Any]) -> dict[str, Any]:
        response = self.get(submission["location"])
        assert response.status_code == 200, response.text
        return response.json

    def verdict(self, submission: dict[str, Any]) -> dict[str, Any]:
        """The verdict, once it is there."""
        return self.wait_for(submission, "done")["data"]["verdict"]


@contextmanager
def closing_stream(events: Iterator[dict[str, Any]]) -> Iterator[Iterator[dict[str, Any]]]:
    try:
        yield events
    finally:
        events.close()  # type: ignore[attr-defined]


def parse_events(chunks: Any) -> Iterator[dict[str, Any]]:
    """Server-sent events from the chunks of an answer, or a failure when they take too long."""
    deadline = time.monotonic() + WAIT_SECONDS
    buffer = b""
    try:
        for chunk in chunks:
            buffer += chunk
            while b"\n\n" in buffer:
                block, buffer = buffer.split(b"\n\n", 1)
                fields = dict(
                    line.split(": ", 1) for line in block.decode().split("\n") if ": " in line
                )
                if "event" in fields:
                    yield {
                        "id": fields.get("id"),
                        "event": fields["event"],
                        "data": json.loads(fields["data"]),
                    }
            # A stream that has nothing to say sends a heartbeat, so this is looked at.
            assert time.monotonic() < deadline, f"no end within {WAIT_SECONDS:.0f} s"
    finally:
        if hasattr(chunks, "close"):
            chunks.close()


def conclude(app: Flask, outcome: Outcome = Outcome.PASSED) -> None:
    """Give the next submission a verdict, as a worker would."""
    with site_of(app).database.write() as session:
        claim = claims.claim_next(session, "a-worker")
        assert claim is not None
        verdict = Verdict(exercise=claim.exercise, suite=claim.suite, verdict=outcome)
        verdict.status = outcome.status
        claims.finish(session, claim, verdict)


def error_of(response: TestResponse) -> str:
    """The error's code, after a look at its form."""
    error = response.json["error"]
    assert response.mimetype == "application/json"
    assert {"code", "message", "message_zh"} <= set(error) <= {*error, "exercises"}
    assert re.search("[一-鿿]", error["message_zh"]) and not re.search("[一-鿿]", error["message"])
    return error["code"]


def wait_until(condition: Any, what: str) -> None:
    """Wait for something outside this process that tells nobody."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"not within {WAIT_SECONDS:.0f} s: {what}"
        time.sleep(0.02)
