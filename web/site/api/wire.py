"""Requests' bodies and answers, between bytes and types."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from flask import Response, request

from judge.texts import Text
from web.site.errors import Problem

Body = TypeVar("Body")


def read_json(kind: type[Body], *, default: Body | None = None) -> Body:
    """The request's body as a value of this type; `default` if it may be missing and is.

    Raises `Problem`: 415 for another media type, 400 for what is not JSON, 422 for JSON of another
    shape.
    """
    data = request.get_data(cache=False)
    if not data and default is not None:
        return default
    if request.mimetype != "application/json":
        raise Problem(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            Text("Send the body as application/json.", "请以 application/json 发送请求体。"),
        )
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        text = Text(f"The body has another shape: {error}.", f"请求体的结构不对：{error}。")
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "wrong_shape", text) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = Text("The body is not JSON.", "请求体不是合法的 JSON。")
        raise Problem(HTTPStatus.BAD_REQUEST, "not_json", text) from None


def reply(value: Any, status: HTTPStatus = HTTPStatus.OK, **headers: str) -> Response:
    """An answer in JSON. Underscores in the headers' names stand for hyphens."""
    return Response(
        msgspec.json.encode(value),
        status=status,
        headers={name.replace("_", "-"): text for name, text in headers.items()},
        content_type="application/json",
    )
