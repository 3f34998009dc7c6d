"""The addresses of the interface, in one list; each is described in `operations.OPERATIONS`."""

from __future__ import annotations

from flask import Blueprint

from web.site.api import exercises, questions, submissions, system

EXERCISE = "/api/v1/exercises/<chapter>/<name>"
SUBMISSION = "/api/v1/submissions/<submission_id>"

ROUTES = (
    ("POST", "/api/v1/submissions", submissions.submit),
    ("GET", "/api/v1/submissions", submissions.list_submissions),
    ("GET", SUBMISSION, submissions.read_submission),
    ("GET", f"{SUBMISSION}/events", submissions.follow_submission),
    ("GET", "/api/v1/exercises", exercises.list_exercises),
    ("GET", EXERCISE, exercises.read_exercise),
    ("POST", f"{EXERCISE}/hints", exercises.next_hint),
    ("POST", f"{EXERCISE}/solution", exercises.show_solution),
    ("POST", "/api/v1/chapters/<chapter>/questions/<question>", questions.answer_question),
    ("GET", "/api/v1/progress", exercises.show_progress),
    ("GET", "/api/v1/token", system.token),
    ("GET", "/api/v1/openapi.json", system.openapi),
    ("GET", "/healthz", system.health),
)


def make_blueprint() -> Blueprint:
    """A new one for each app."""
    blueprint = Blueprint("api", __name__)
    for method, address, view in ROUTES:
        blueprint.add_url_rule(address, view_func=view, methods=[method])
    return blueprint
