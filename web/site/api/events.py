"""The stream of one submission's news, as server-sent events (WHATWG HTML, "Server-sent events").

What is sent is read from the database, so a stream can be broken off and taken up anywhere. Results
and the end have an id, `<attempt>-<results so far>`; a reader that comes back with it in
`Last-Event-ID` gets what follows. After the end a reader that comes back gets 204, which tells it to
stay away.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response
from sqlalchemy import select
from sqlalchemy.orm import Session

from web.site import submissions
from web.site.api import schemas
from web.site.models import Result, State, Submission
from web.site.site import Site

# Should a call be missed, the database is looked at all the same.
LOOK_SECONDS = 1.0
HEARTBEAT_SECONDS = 10.0
# Then the stream ends and the reader comes back: no thread is held for ever.
LONGEST_SECONDS = 300.0
RETRY_MILLISECONDS = 1000
END = "end"


@dataclass(frozen=True)
class _Seen:
    """What a reader has been told: of which attempt how many results, whether its end."""

    attempt: int = 0
    results: int = 0
    ended: bool = False

    @staticmethod
    def parse(text: str) -> _Seen:
        """From `Last-Event-ID`; whatever is no id of ours counts as none."""
        found = re.fullmatch(r"(\d{1,6})-(\d{1,6}|end)", text, re.ASCII)
        if found is None:
            return _Seen()
        if found[2] == END:
            return _Seen(int(found[1]), ended=True)
        return _Seen(int(found[1]), int(found[2]))


def follow(site: Site, number: int, last_id: str, gone: Callable[[], bool] | None) -> Response:
    """The stream of the submission `number`. `gone` tells whether the reader has hung up."""
    seen = _Seen.parse(last_id)
    if seen.ended:
        return Response(status=HTTPStatus.NO_CONTENT)
    stream = _Stream(site, number, seen, gone or (lambda: False))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream.run(), mimetype="text/event-stream", headers=headers)


class _Stream:
    """One reader's stream: what has been told, and what is to be told next."""

    def __init__(self, site: Site, number: int, seen: _Seen, gone: Callable[[], bool]) -> None:
        self._site, self._number, self._gone = site, number, gone
        self._attempt, self._results = seen.attempt, seen.results
        self._place: int | None = None
        self._ended = False

    def run(self) -> Iterator[bytes]:
        until = time.monotonic() + LONGEST_SECONDS
        spoke = time.monotonic()
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        with self._site.bulletin.listen(self._number) as changed:
            while True:
                if changed is not None:
                    changed.clear()
                with self._site.database.read() as session:
                    news = list(self._news(session))
                if not news and time.monotonic() - spoke >= HEARTBEAT_SECONDS:
                    news = [b":\n\n"]
                if news:
                    spoke = time.monotonic()
                    yield b"".join(news)
                if self._ended or changed is None or self._must_end(until):
                    return
                changed.wait(LOOK_SECONDS)

    def _must_end(self, until: float) -> bool:
        return self._site.bulletin.closed or self._gone() or time.monotonic() >= until

    def _news(self, session: Session) -> Iterator[bytes]:
        row = session.get_one(Submission, self._number)
        match row.state:
            case State.WAITING:
                place = submissions.place_of(session, row)
                if place is not None and place != self._place:
                    self._place = place
                    yield _event("waiting", schemas.Waiting(place))
            case State.RUNNING:
                yield from self._begin(row.attempts)
                chosen = select(Result.result).where(
                    Result.submission == self._number, Result.position > self._results
                )
                yield from self._tell(session.scalars(chosen.order_by(Result.position)))
            case State.DONE:
                yield from self._finish(row)
            case State.REPLACED:
                self._ended = True
                yield _event("replaced", schemas.Replaced(row.replaced_by), f"0-{END}")

    def _begin(self, attempt: int) -> Iterator[bytes]:
        if attempt != self._attempt:
            self._attempt, self._results, self._place = attempt, 0, None
            yield _event("running", schemas.Running(attempt), f"{attempt}-0")

    def _tell(self, results: Iterable[str | bytes]) -> Iterator[bytes]:
        for result in results:
            self._results += 1
            yield _event("result", _raw(result), f"{self._attempt}-{self._results}")

    def _finish(self, row: Submission) -> Iterator[bytes]:
        assert row.verdict is not None  # a submission that is done has one
        if row.attempts:
            yield from self._begin(row.attempts)
        tests = msgspec.json.decode(row.verdict, type=_Tests).tests
        yield from self._tell(bytes(test) for test in tests[self._results :])
        self._ended = True
        # As `schemas.Done`, with the verdict as it lies in the database.
        done = {"verdict": _raw(row.verdict), "reused": row.reused}
        yield _event("done", done, f"{self._attempt}-{END}")


class _Tests(msgspec.Struct):
    """Of a verdict only the tests, each as it is written."""

    tests: list[msgspec.Raw]


def _raw(text: str | bytes) -> msgspec.Raw:
    return msgspec.Raw(text.encode() if isinstance(text, str) else text)


def _event(kind: str, data: Any, event_id: str | None = None) -> bytes:
    """One event. JSON holds no line break outside its texts, and escapes it there: one line of data."""
    named = f"id: {event_id}\n" if event_id else ""
    return f"{named}event: {kind}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"
