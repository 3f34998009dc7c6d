"""`/api/v1/submissions`: submit, read your own, list them, follow one as it is graded."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response, request, url_for

from judge.grade import SourceProblem
from judge.grade.submission import MAX_SOURCE_BYTES, decode_source
from judge.texts import Text
from web.site import progress, submissions
from web.site.api import schemas, shown
from web.site.api.events import follow
from web.site.api.wire import read_json, reply
from web.site.course import Course
from web.site.errors import Problem, not_found
from web.site.learners import current_learner
from web.site.models import Progress
from web.site.site import current_site

PAGE_SIZE, LARGEST_PAGE = 20, 100
RETRY_SECONDS = 5

QUEUE_FULL = Text(
    "Too many submissions are waiting. Your code was not submitted; try again in a moment.",
    "等待评测的提交太多。你的代码没有提交，请稍后再试。",
)
TOO_LARGE = Text(
    f"The source is larger than {MAX_SOURCE_BYTES // 1024} KiB.",
    f"代码超过了 {MAX_SOURCE_BYTES // 1024} KiB。",
)


def submit() -> Response:
    """POST /api/v1/submissions"""
    site, learner = current_site(), current_learner()
    wanted = read_json(schemas.NewSubmission)
    if len(wanted.source.encode()) > MAX_SOURCE_BYTES:
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", TOO_LARGE)
    try:
        source = decode_source(wanted.source)
    except SourceProblem as problem:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_source", problem.text) from None
    exercise = site.course.find(wanted.exercise)
    if exercise is None:
        raise no_such_exercise()
    try:
        with site.database.write() as session:
            refuse_if_closed(site.course, progress.of_all(session, learner), exercise.id)
            taken = submissions.take_in(
                session,
                learner,
                exercise,
                source,
                queue_limit=site.settings.queue_limit,
                require_tier=site.settings.require_tier,
            )
    except submissions.QueueFull:
        raise Problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "queue_full",
            QUEUE_FULL,
            headers={"Retry-After": str(RETRY_SECONDS)},
        ) from None
    site.workers.wake()
    if taken.replaced:
        site.bulletin.ring_all()
    name = taken.submission.id
    location = url_for("api.read_submission", submission_id=name)
    body = schemas.SubmissionTaken(
        id=name,
        location=location,
        events=url_for("api.follow_submission", submission_id=name),
        state=taken.submission.state,
        place=taken.place,
        replaced=taken.replaced,
        reused=taken.submission.reused,
    )
    return reply(body, HTTPStatus.ACCEPTED, Location=location)


def list_submissions() -> Response:
    """GET /api/v1/submissions"""
    exercise = request.args.get("exercise")
    limit = request.args.get("limit", str(PAGE_SIZE))
    if not (
        limit.isascii() and limit.isdigit() and len(limit) <= 3 and 1 <= int(limit) <= LARGEST_PAGE
    ):
        text = Text(
            f"`limit` must be a whole number from 1 to {LARGEST_PAGE}.",
            f"`limit` 只能是 1 到 {LARGEST_PAGE} 的整数。",
        )
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_limit", text)
    with current_site().database.read() as session:
        rows, more = submissions.list_own(
            session, current_learner(), exercise, int(limit), request.args.get("cursor")
        )
        listed = [shown.submission_row(row) for row in rows]
    return reply(schemas.SubmissionPage(listed, listed[-1].id if more else None))


def read_submission(submission_id: str) -> Response:
    """GET /api/v1/submissions/<id>"""
    with current_site().database.read() as session:
        found = submissions.find_own(session, current_learner(), submission_id)
        if found is None:
            raise not_found()
        place = submissions.place_of(session, found)
        return reply(shown.stored_submission(found, place))


def follow_submission(submission_id: str) -> Response:
    """GET /api/v1/submissions/<id>/events"""
    site = current_site()
    with site.database.read() as session:
        found = submissions.find_own(session, current_learner(), submission_id)
        if found is None:
            raise not_found()
        number = found.number
    gone = request.environ.get("waitress.client_disconnected")
    return follow(site, number, request.headers.get("Last-Event-ID", ""), gone)


def no_such_exercise() -> Problem:
    text = Text("There is no exercise of this name.", "没有这个名字的练习。")
    return Problem(HTTPStatus.NOT_FOUND, "no_such_exercise", text)


def refuse_if_closed(course: Course, rows: dict[str, Progress], exercise: str) -> None:
    """Raises `Problem` (403) while the exercise would give away what the learner has yet to solve."""
    closed = progress.closed_by(course, rows, exercise)
    if closed:
        names = ", ".join(closed)
        text = Text(
            f"This exercise shows the solution of {names}. Solve that first, or ask for its solution.",
            f"这个练习会透露 {names} 的参考答案。请先完成它，或者先查看它的参考答案。",
        )
        raise Problem(HTTPStatus.FORBIDDEN, "gives_away", text, exercises=closed)
