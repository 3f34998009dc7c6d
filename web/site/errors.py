"""Every refusal of the site in one form: a code for programs, a sentence in both languages for people.

{"error": {"code": "not_found", "message": "…", "message_zh": "…"}}
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import msgspec
from flask import Response
from werkzeug.exceptions import HTTPException

from judge.texts import Text


class ErrorBody(msgspec.Struct, frozen=True):
    """What went wrong. `exercises` names those that a gate waits for, where that is the reason."""

    code: str
    message: str
    message_zh: str
    exercises: list[str] | msgspec.UnsetType = msgspec.UNSET


class ErrorReply(msgspec.Struct, frozen=True):
    """The body of every answer that is not a success."""

    error: ErrorBody


class Problem(Exception):
    """A request is refused with this status. Raise it anywhere below a view."""

    def __init__(
        self,
        status: HTTPStatus,
        code: str,
        text: Text,
        *,
        exercises: list[str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(text.en)
        self.status, self.code, self.text = status, code, text
        self.exercises, self.headers = exercises, dict(headers or {})


# What Flask and its extensions refuse by themselves.
KNOWN = {
    400: ("bad_request", Text("The request cannot be understood.", "无法理解这个请求。")),
    404: ("not_found", Text("There is nothing at this address.", "这个地址没有内容。")),
    405: (
        "method_not_allowed",
        Text("This address does not answer this method.", "这个地址不支持这种请求方法。"),
    ),
    413: ("too_large", Text("The request is too large.", "请求太大。")),
    415: (
        "unsupported_media_type",
        Text(
            "The body must be JSON (application/json).", "请求体必须是 JSON（application/json）。"
        ),
    ),
    429: (
        "too_many_requests",
        Text("Too many requests; please wait a moment.", "请求太频繁，请稍等一会儿。"),
    ),
    500: (
        "internal_error",
        Text("Something went wrong here. It is not your fault.", "网站出了错，不是你的问题。"),
    ),
}


def from_http(error: HTTPException) -> Problem:
    """The problem that stands for an exception of werkzeug, whose own words are not shown."""
    status = HTTPStatus(error.code or 500)
    other = (status.name.lower(), Text(f"{status.phrase}.", f"请求无法完成（{status.value}）。"))
    code, text = KNOWN.get(status.value, other)
    # Such as Allow, which says what the address does answer, and Retry-After.
    headers = {
        name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")
    }
    return Problem(status, code, text, headers=headers)


def answer(problem: Problem) -> Response:
    """The problem as an answer in JSON."""
    named = msgspec.UNSET if problem.exercises is None else problem.exercises
    body = ErrorBody(problem.code, problem.text.en, problem.text.zh, named)
    return Response(
        msgspec.json.encode(ErrorReply(body)),
        status=problem.status,
        headers=problem.headers,
        content_type="application/json",
    )


def not_found() -> Problem:
    code, text = KNOWN[404]
    return Problem(HTTPStatus.NOT_FOUND, code, text)
