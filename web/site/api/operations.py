"""What each address of the interface takes and gives, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

import msgspec

from web.site.api import schemas

STREAM = "text/event-stream"
TOKEN_HEADER = "X-CSRFToken"


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One parameter beside the body. `place` is `path`, `query` or `header`."""

    name: str
    place: str
    schema: dict[str, Any]
    text: str
    required: bool = False


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One method at one address.

    `errors` are the statuses of its refusals beside the usual ones, `more` those of other successes.
    `changes`: it needs the token, and refuses with 403 without it.
    """

    method: str
    path: str
    name: str
    text: str
    status: int = 200
    answer: Any = None
    body: Any = None
    body_required: bool = True
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    changes: bool = False


CHAPTER = Parameter(
    name="chapter", place="path", schema={"type": "string"}, text="such as ch12", required=True
)
NAME = Parameter(
    name="name", place="path", schema={"type": "string"}, text="such as nd-tensor", required=True
)
SUBMISSION = Parameter(
    name="submission_id",
    place="path",
    schema={"type": "string"},
    text="the submission's id",
    required=True,
)
# Every address may answer these: a foreign host name, a broken database, too many requests.
USUAL = (400, 429, 500)

OPERATIONS = (
    Operation(
        method="post",
        path="/api/v1/submissions",
        name="submit",
        text=(
            "Submit a solution. It is kept before this answers, then graded. One submission of a "
            "learner runs and one waits; a newer one takes the waiting one's place. Code that was "
            "graded with the same tests before gets that verdict."
        ),
        status=202,
        body=schemas.NewSubmission,
        answer=schemas.SubmissionTaken,
        errors=(403, 404, 413, 415, 422, 503),
        changes=True,
    ),
    Operation(
        method="get",
        path="/api/v1/submissions",
        name="list_submissions",
        text="Your submissions, newest first.",
        answer=schemas.SubmissionPage,
        parameters=(
            Parameter(
                name="exercise",
                place="query",
                schema={"type": "string"},
                text="only this exercise's",
            ),
            Parameter(
                name="limit",
                place="query",
                schema={"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                text="how many at most",
            ),
            Parameter(
                name="cursor",
                place="query",
                schema={"type": "string"},
                text="`next` of the page before",
            ),
        ),
        errors=(422,),
    ),
    Operation(
        method="get",
        path="/api/v1/submissions/{submission_id}",
        name="read_submission",
        text="One of your submissions, with its code and its verdict.",
        answer=schemas.SubmissionDetail,
        parameters=(SUBMISSION,),
        errors=(404,),
    ),
    Operation(
        method="get",
        path="/api/v1/submissions/{submission_id}/events",
        name="follow_submission",
        text=(
            "Server-sent events: `waiting` (Waiting), `running` (Running), `result` (TestResult) for "
            "each test as it comes, and at the end `done` (Done) or `replaced` (Replaced). Lost "
            "streams go on where `Last-Event-ID` says. After the end that answers 204."
        ),
        answer=STREAM,
        parameters=(
            SUBMISSION,
            Parameter(
                name="Last-Event-ID",
                place="header",
                schema={"type": "string"},
                text="the id of the last event that was received",
            ),
        ),
        errors=(404,),
        more=(204,),
    ),
    Operation(
        method="get",
        path="/api/v1/exercises",
        name="list_exercises",
        text="All chapters and exercises, and how far you are.",
        answer=schemas.ExerciseList,
    ),
    Operation(
        method="get",
        path="/api/v1/exercises/{chapter}/{name}",
        name="read_exercise",
        text="One exercise: statement, stub, example tests, and what runs them in the page.",
        answer=schemas.ExerciseDetail,
        parameters=(
            CHAPTER,
            NAME,
            Parameter(
                name="lang",
                place="query",
                schema={"type": "string", "enum": ["en", "zh"]},
                text="the statement in this language only",
            ),
        ),
        errors=(404, 422),
    ),
    Operation(
        method="post",
        path="/api/v1/exercises/{chapter}/{name}/hints",
        name="next_hint",
        text="One more hint; 409 when you have seen them all.",
        answer=schemas.Hint,
        parameters=(CHAPTER, NAME),
        errors=(404, 409),
        changes=True,
    ),
    Operation(
        method="post",
        path="/api/v1/exercises/{chapter}/{name}/solution",
        name="show_solution",
        text="The reference solution: once you have solved the exercise, or if you ask for it.",
        answer=schemas.Solution,
        body=schemas.AskForSolution,
        body_required=False,
        parameters=(CHAPTER, NAME),
        errors=(403, 404, 413, 415, 422),
        changes=True,
    ),
    Operation(
        method="post",
        path="/api/v1/chapters/{chapter}/questions/{question}",
        name="answer_question",
        text=(
            "Answer a question of the chapter's self-test, or ask to be told. 422 if what is sent "
            "is no answer to it, such as words where a number is asked for; that is not kept."
        ),
        answer=schemas.AnswerJudged,
        body=schemas.GivenAnswer,
        parameters=(
            CHAPTER,
            Parameter(
                name="question",
                place="path",
                schema={"type": "string"},
                text="such as bytes-of-a-prompt",
                required=True,
            ),
        ),
        errors=(403, 404, 413, 415, 422),
        changes=True,
    ),
    Operation(
        method="get",
        path="/api/v1/progress",
        name="show_progress",
        text="How far you are, by chapter and by exercise.",
        answer=schemas.ProgressReport,
    ),
    Operation(
        method="get",
        path="/api/v1/token",
        name="token",
        text=(
            f"What goes into the header `{TOKEN_HEADER}` of every POST, with the cookie that comes "
            "along. A page has it in its head already."
        ),
        answer=schemas.Token,
    ),
    Operation(
        method="get",
        path="/api/v1/openapi.json",
        name="openapi",
        text="This document.",
        answer=dict[str, Any],
    ),
    Operation(
        method="get",
        path="/healthz",
        name="health",
        text="Whether the database answers and submissions are graded; 503 if not.",
        answer=schemas.Health,
    ),
)
