"""The OpenAPI document says what the site does, and the site does what it says."""

from __future__ import annotations

import re

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks
from site_parts import SOLUTION, Visitor, copy_course, make_app, site_of

from judge.texts import Text
from judge.verdict import (
    Blame,
    Explanation,
    Outcome,
    SourceLine,
    TestResult,
    Verdict,
    Visibility,
)
from web.site import claims
from web.site.api.openapi import document

EXAMPLES = 40

# Read when the tests are collected, before there is an app: each request is passed on to the app of
# its test.
DESCRIPTION = schemathesis.openapi.from_dict(document())
APPS = []
DESCRIPTION.app = lambda environ, start_response: APPS[-1](environ, start_response)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    copy_course(folder / "course")
    app = make_app(folder)
    APPS.append(app)
    yield app
    APPS.pop()
    site_of(app).database.close()


@pytest.fixture(scope="module")
def visitor(app):
    return Visitor(app)


@pytest.fixture(scope="module")
def served(visitor):
    return visitor.get("/api/v1/openapi.json").json


def test_every_address_for_programs_is_described_and_no_other(app, served):
    there = {
        (method.lower(), re.sub(r"<(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    described = {(method, path) for path, methods in served["paths"].items() for method in methods}
    assert described == there
    assert served["openapi"].startswith("3.1")


def test_every_answer_has_a_schema_and_every_reference_leads_somewhere(served):
    text = str(served)
    for name in re.findall(r"#/components/schemas/(\w+)", text):
        assert name in served["components"]["schemas"]
    for methods in served["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            for status, response in operation["responses"].items():
                assert "content" in response or status == "204", (operation["summary"], status)
    # What the streams send is described, too.
    assert {"Waiting", "Running", "TestResult", "Done", "Replaced", "Verdict"} <= set(
        served["components"]["schemas"]
    )


@DESCRIPTION.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_site_keeps_to_the_document(app, case, visitor):
    """Requests that fit the document and requests that do not, each answer checked against it."""
    if case.operation.definition.raw["operationId"] == "follow_submission":
        # Only a stream that has ended can be read to its end.
        case.headers["Last-Event-ID"] = "1-end"
    cookie = visitor.client.get_cookie(app.config["SESSION_COOKIE_NAME"])
    response = case.call(headers={"X-CSRFToken": visitor.token}, cookies={cookie.key: cookie.value})
    case.validate_response(
        response,
        # Whether a request may come without a token is tested where forged requests are; and nobody
        # grades here, which is what /healthz rightly says.
        excluded_checks=[checks.ignored_auth, checks.not_a_server_error],
    )
    assert response.status_code != 500


def test_answers_about_what_there_is_fit_the_document(app, visitor):
    """What random names never reach: each address, asked for something that exists."""
    graded = visitor.submit(SOLUTION)
    with site_of(app).database.write() as session:
        claim = claims.claim_next(session, "a-worker")
        claims.finish(session, claim, graded_verdict(claim))
    waiting = visitor.submit("a = 1")
    exercise = {"chapter": "ch1", "name": "double"}
    wanted = {
        "submit": ({}, {"exercise": "ch1/relay", "source": "a = 2"}, [202]),
        "list_submissions": ({}, None, [200]),
        "read_submission": ({"submission_id": (graded["id"], waiting["id"])}, None, [200, 200]),
        "follow_submission": ({"submission_id": (graded["id"],)}, None, [200]),
        "list_exercises": ({}, None, [200]),
        "read_exercise": (exercise, None, [200]),
        "next_hint": (exercise, None, [200, 409]),
        "show_solution": (exercise, {"asked": True}, [200]),
        "answer_question": (
            {"chapter": "ch1", "question": ("one-of-three", "a-number")},
            {"choices": [0], "text": "6000"},
            [200, 200],
        ),
        "show_progress": ({}, None, [200]),
        "token": ({}, None, [200]),
        "openapi": ({}, None, [200]),
        "health": ({}, None, [503]),
    }
    cookie = visitor.client.get_cookie(app.config["SESSION_COOKIE_NAME"])
    for operation_id, (path, body, statuses) in wanted.items():
        operation = DESCRIPTION.find_operation_by_id(operation_id)
        for number, status in enumerate(statuses):
            chosen = {k: v if isinstance(v, str) else v[number] for k, v in path.items()}
            more = {} if body is None else {"body": body, "media_type": "application/json"}
            case = operation.Case(path_parameters=chosen, **more)
            response = case.call(
                headers={"X-CSRFToken": visitor.token}, cookies={cookie.key: cookie.value}
            )
            assert response.status_code == status, (operation_id, response.text)
            case.validate_response(
                response,
                checks=[checks.response_schema_conformance, checks.content_type_conformance],
            )


def graded_verdict(claim):
    """A verdict in which every field has something in it."""
    test = TestResult(
        name="test_number",
        outcome=Outcome.WRONG,
        visibility=Visibility.EXAMPLE,
        title=Text("A number is doubled", "数字"),
        message="no",
        message_zh="不对",
        expected="8",
        actual="9",
        diff="-8\n+9",
        line=SourceLine(1, "a = 1"),
        output="printed",
        test_code="assert",
        duration_ms=1.5,
    )
    return Verdict(
        exercise=claim.exercise,
        suite=claim.suite,
        verdict=Outcome.WRONG,
        status=Outcome.WRONG.status,
        blame=Blame.LEARNER,
        tests=[test],
        explanations=[Explanation("no_refusal", "because", "因为")],
    )
