"""`/healthz`, the token against forged requests, and the description of all this."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response, current_app
from flask_wtf.csrf import generate_csrf
from sqlalchemy.exc import SQLAlchemyError

from web.site.api import schemas
from web.site.api.openapi import document
from web.site.api.wire import reply
from web.site.learners import current_learner
from web.site.site import current_site


def health() -> Response:
    """GET /healthz"""
    site = current_site()
    try:
        site.database.check()
        database = True
    except SQLAlchemyError:
        current_app.logger.exception("the database does not answer")
        database = False
    workers = schemas.WorkersHealth(site.workers.wanted, site.workers.ready)
    well = database and workers.ready > 0
    body = schemas.Health("ok" if well else "failing", database, workers)
    return reply(body, HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE)


def token() -> Response:
    """GET /api/v1/token"""
    current_learner()
    return reply(schemas.Token(generate_csrf()))


def openapi() -> Response:
    """GET /api/v1/openapi.json"""
    return reply(document())
