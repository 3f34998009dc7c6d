"""The OpenAPI 3.1 document, made of `operations.OPERATIONS` and of the types that they name."""

from __future__ import annotations

import functools
from http import HTTPStatus
from typing import Any

import msgspec

from web.site.api import schemas
from web.site.api.operations import OPERATIONS, STREAM, TOKEN_HEADER, USUAL, Operation
from web.site.errors import ErrorReply

JSON = "application/json"
# Version 3.1 has no words for a stream; this is one event of it, as clients show it.
EVENT = {
    "type": "object",
    "description": "Each event of the stream; its data is JSON of the schema that the summary names.",
    "required": ["event", "data"],
    "properties": {
        "event": {"enum": list(schemas.EVENTS)},
        "data": {"type": "string", "contentMediaType": JSON},
        "id": {"type": "string"},
    },
}
TEMPLATE = "#/components/schemas/{name}"


@functools.cache
def document() -> dict[str, Any]:
    """The whole document. It is the same for everybody, so never change what is returned."""
    types = [kind for each in OPERATIONS for kind in (each.answer, each.body) if _is_type(kind)]
    types += [ErrorReply, *schemas.EVENTS.values()]
    answers, components = msgspec.json.schema_components(types, ref_template=TEMPLATE)
    references = {id(kind): schema for kind, schema in zip(types, answers, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _describe(operation, references)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mini-sglang from Scratch: practice",
            "version": "1",
            "description": (
                "Submit solutions and follow their grading. A learner is whoever has the cookie of "
                "the first answer; nobody can read another learner's submissions."
            ),
        },
        "paths": paths,
        "components": {
            "schemas": dict(components),
            "securitySchemes": {
                "token": {
                    "type": "apiKey",
                    "in": "header",
                    "name": TOKEN_HEADER,
                    "description": "`csrf_token` of GET /api/v1/token, with the cookie set there.",
                }
            },
        },
    }


def _is_type(kind: Any) -> bool:
    return kind is not None and kind != STREAM


def _describe(operation: Operation, references: dict[int, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.text,
        "responses": _responses(operation, references),
    }
    if operation.parameters:
        described["parameters"] = [
            {
                "name": each.name,
                "in": each.place,
                "required": each.required,
                "description": each.text,
                "schema": each.schema,
            }
            for each in operation.parameters
        ]
    if operation.body is not None:
        described["requestBody"] = {
            "required": operation.body_required,
            "content": {JSON: {"schema": references[id(operation.body)]}},
        }
    if operation.changes:
        described["security"] = [{"token": []}]
    return described


def _responses(operation: Operation, references: dict[int, Any]) -> dict[str, Any]:
    stream = operation.answer == STREAM
    schema = EVENT if stream else references[id(operation.answer)]
    success: dict[str, Any] = {
        "description": HTTPStatus(operation.status).phrase,
        "content": {STREAM if stream else JSON: {"schema": schema}},
    }
    if operation.status == HTTPStatus.ACCEPTED:
        success["headers"] = {
            "Location": {"description": "the submission", "schema": {"type": "string"}}
        }
    responses = {str(operation.status): success}
    for status in operation.more:
        responses[str(status)] = {"description": HTTPStatus(status).phrase}
    forged = (HTTPStatus.FORBIDDEN.value,) if operation.changes else ()
    for status in sorted({*USUAL, *forged, *operation.errors}):
        responses[str(status)] = _refusal(status, references)
    if operation.answer is schemas.Health:
        responses["503"] = {**success, "description": "It does not do its work."}
    return responses


def _refusal(status: int, references: dict[int, Any]) -> dict[str, Any]:
    refusal: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {JSON: {"schema": references[id(ErrorReply)]}},
    }
    if status in (429, 503):
        refusal["headers"] = {
            "Retry-After": {"description": "seconds", "schema": {"type": "integer"}}
        }
    return refusal
