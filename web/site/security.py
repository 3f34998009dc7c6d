"""What every answer and every request must keep to, whatever it is about."""

from __future__ import annotations

import ipaddress
import math
import re
import socket
import time
from http import HTTPStatus

from flask import Flask, Response, request
from flask_limiter import Limit, Limiter, RateLimitExceeded
from flask_wtf.csrf import CSRFError, CSRFProtect

from judge.grade.submission import MAX_SOURCE_BYTES
from judge.texts import Text
from web.site.errors import Problem, answer, from_http
from web.site.learners import current_learner
from web.site.settings import Rates, Settings

# JSON may write one byte of a source as six: "\u0001".
MAX_BODY_BYTES = 6 * MAX_SOURCE_BYTES + 4096

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        # Pyodide compiles WebAssembly; nothing here needs eval or a script within a page.
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    # Both give the page SharedArrayBuffer, through which a running program is stopped.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: where there is https, the check against forged requests reads it.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
FOREIGN_HOST = Text(
    "This site is not known by the name in the request's Host header.",
    "请求的 Host 头不是本站的名字。",
)
FORGED = Text(
    "The request has no valid token. Load the page anew and try again.",
    "请求缺少有效的令牌。请刷新页面后重试。",
)
WRITING = ("POST", "PUT", "PATCH", "DELETE")


def protect(app: Flask, settings: Settings) -> None:
    """Add the headers, and refuse foreign hosts, forged, huge and too many requests."""
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        # A page may stay open for days; the token is bound to the learner's cookie all the same.
        WTF_CSRF_TIME_LIMIT=None,
    )
    names = trusted_names(settings)

    @app.before_request
    def check_host() -> Response | None:
        if is_trusted(request.host, names):
            return None
        return answer(Problem(HTTPStatus.BAD_REQUEST, "foreign_host", FOREIGN_HOST))

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        # Everything but the files is one learner's; a page may be shown again, after asking.
        own = "no-store" if request.path.startswith("/api/") else "private, no-cache"
        response.headers.setdefault("Cache-Control", own)
        return response

    CSRFProtect(app)

    @app.errorhandler(CSRFError)
    def refuse_forged(_: CSRFError) -> Response:
        return answer(Problem(HTTPStatus.FORBIDDEN, "forged", FORGED))

    limit_rates(app, settings.rates)


def trusted_names(settings: Settings) -> frozenset[str]:
    """The names by which the site may be called, beside numeric addresses."""
    return frozenset(
        name.lower() for name in ("localhost", socket.gethostname(), settings.host, *settings.hosts)
    )


def is_trusted(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this site.

    Otherwise a foreign page could have its own name lead here (DNS rebinding) and read everything. A
    numeric address cannot be made to lead elsewhere.
    """
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(:\d{1,5})?", host)
    if found is None:
        return False
    name = found[1].strip("[]").lower()
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def limit_rates(app: Flask, rates: Rates) -> None:
    """Limit requests per minute, of a learner and of an address; counted in this process."""

    def address() -> str:
        # An empty key would count as no limit.
        return request.remote_addr or "unknown"

    def is_no_submission() -> bool:
        return request.endpoint != "api.submit"

    def is_file() -> bool:
        return (request.endpoint or "").startswith("files.")

    limits = (
        ("submissions", rates.learner_submissions, current_learner, ("POST",), is_no_submission),
        # Who throws the cookie away is another learner each time, but still the same address.
        ("submissions", rates.address_submissions, address, ("POST",), is_no_submission),
        ("changes", rates.learner_changes, current_learner, WRITING, None),
        ("changes", rates.address_changes, address, WRITING, None),
        ("reads", rates.address_reads, address, ("GET", "HEAD"), is_file),
    )
    limiter = Limiter(
        address,
        app=app,
        storage_uri="memory://",
        strategy="moving-window",
        default_limits=[
            Limit(
                f"{count}/minute",
                key_function=key,
                scope=scope,
                shared=True,
                methods=methods,
                exempt_when=exempt,
            )
            for scope, count, key, methods, exempt in limits
        ],
    )

    @app.errorhandler(RateLimitExceeded)
    def refuse_too_many(error: RateLimitExceeded) -> Response:
        problem = from_http(error)
        reached = limiter.current_limit
        wait = math.ceil(reached.reset_at - time.time()) if reached else 0
        problem.headers["Retry-After"] = str(max(1, wait))
        return answer(problem)
