"""Who is asking: a random number in a signed cookie, and nothing about the person."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta

from flask import Flask, request, session
from flask.sessions import SecureCookieSessionInterface, SessionMixin

from web.site.settings import Settings

FIELD = "learner"
# The blueprint of `web.site.files`.
FILES = "files"
# As long as browsers keep any cookie; each visit begins it anew.
LIFETIME = timedelta(days=400)


class Cookies(SecureCookieSessionInterface):
    """Signed cookies, except with files: caches on the way keep those, and one learner's cookie must
    not reach another."""

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        return request.blueprint != FILES and super().should_set_cookie(app, session)


def configure(app: Flask, settings: Settings, key: bytes) -> None:
    """Have the app sign its cookies with this key."""
    app.secret_key = key
    app.session_interface = Cookies()
    app.config.update(
        # Browsers do not tell ports of a machine apart: two sites on it must not share a name, or
        # each would take the other's learner away.
        SESSION_COOKIE_NAME=f"learner-{hashlib.sha256(key).hexdigest()[:8]}",
        SESSION_COOKIE_HTTPONLY=True,
        # Not Strict: who comes by a link from elsewhere would come without it, as a new learner.
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.https,
        PERMANENT_SESSION_LIFETIME=LIFETIME,
    )


def current_learner() -> str:
    """The number of whoever sent this request, 32 hex digits; a new one at their first visit."""
    known = session.get(FIELD)
    if isinstance(known, str) and re.fullmatch(r"[0-9a-f]{32}", known):
        return known
    session.permanent = True
    session[FIELD] = learner = secrets.token_hex(16)
    return learner
