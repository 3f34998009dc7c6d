"""The values that cross the interface, as types: they are encoded from these, checked against these,
and described from these in the OpenAPI document."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from judge.texts import Text
from judge.verdict import TestResult, Verdict
from web.site.models import State

ExerciseState = Literal["new", "tried", "solved"]
Count = Annotated[int, Meta(ge=0)]
NOT_BLANK = r"^[^\u0000]*[^\s\u0000][^\u0000]*$"
SubmissionId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class NewSubmission(Struct, frozen=True, forbid_unknown_fields=True):
    """A submission: an exercise's id, and the learner's whole file."""

    exercise: Annotated[str, Meta(description="such as ch12/nd-tensor", max_length=200)]
    source: Annotated[
        str,
        Meta(
            description="text of at most 256 KiB in UTF-8; not blank, and without NUL",
            # Only said here; checked by the judge's own rules, which tell the learner what is wrong.
            extra_json_schema={"minLength": 1, "pattern": NOT_BLANK},
        ),
    ]


class AskForSolution(Struct, frozen=True, forbid_unknown_fields=True):
    """`asked`: show it although the exercise is not solved. That is remembered."""

    asked: bool = False


class SubmissionTaken(Struct, frozen=True):
    """The submission is kept. `replaced`: the waiting one that it took the place of.

    `reused`: the same code was graded with the same tests before, and the verdict is there already.
    """

    id: SubmissionId
    location: str
    events: str
    state: State
    place: Annotated[int, Meta(ge=1)] | None
    replaced: SubmissionId | None
    reused: bool


class SubmissionRow(Struct, frozen=True):
    """A submission in a list. `outcome` is the verdict's word; the counts are of its tests."""

    id: SubmissionId
    exercise: str
    state: State
    created: datetime
    finished: datetime | None
    outcome: str | None
    passed_tests: Count
    tests: Count
    reused: bool
    replaced_by: SubmissionId | None


class SubmissionPage(Struct, frozen=True):
    """Newest first. `next` is the `cursor` of the following page; null on the last."""

    submissions: list[SubmissionRow]
    next: SubmissionId | None


class SubmissionDetail(SubmissionRow, frozen=True):
    """One submission with its code and, once graded, its verdict. `place` counts from 1."""

    source: str
    place: Annotated[int, Meta(ge=1)] | None
    verdict: Verdict | None


class StoredSubmission(SubmissionRow, frozen=True):
    """As `SubmissionDetail`, with the verdict as it lies in the database, not read and written again."""

    source: str
    place: int | None
    verdict: msgspec.Raw | None


class Waiting(Struct, frozen=True):
    """Event `waiting`: the place in the queue, 1 for the next."""

    place: Annotated[int, Meta(ge=1)]


class Running(Struct, frozen=True):
    """Event `running`: grading begins. Results of an earlier attempt, if any, no longer count."""

    attempt: Annotated[int, Meta(ge=1)]


class Done(Struct, frozen=True):
    """Event `done`: the verdict."""

    verdict: Verdict
    reused: bool


class Replaced(Struct, frozen=True):
    """Event `replaced`: a newer submission of the same learner came before this one was graded."""

    by: SubmissionId | None


class ExampleTest(Struct, frozen=True):
    """One example test, with its code."""

    name: str
    title: Text
    code: str


class GatedBy(Struct, frozen=True):
    """An exercise that must be solved first, or its solution asked for."""

    id: str
    title: Text


class ExerciseRow(Struct, frozen=True):
    """An exercise in a list. `difficulty` is 1 (easy) to 5."""

    id: str
    chapter: str
    name: str
    title: Text
    difficulty: Annotated[int, Meta(ge=1, le=5)]
    prerequisites: list[str]
    state: ExerciseState
    passed_tests: Count
    tests: Count
    hints_total: Count
    hints_shown: Count
    solution_asked: bool


class ChapterRow(Struct, frozen=True):
    """A chapter with its exercises in their order."""

    name: str
    title: Text
    exercises: list[ExerciseRow]


class ExerciseList(Struct, frozen=True):
    """All chapters in their order."""

    chapters: list[ChapterRow]


class Html(Struct, frozen=True, omit_defaults=True):
    """HTML that is safe to show, in the languages asked for."""

    en: str | msgspec.UnsetType = msgspec.UNSET
    zh: str | msgspec.UnsetType = msgspec.UNSET


class ExerciseDetail(ExerciseRow, frozen=True):
    """All that a page needs. `bundle` runs the example tests in the page.

    `gate` names what must be solved first, or its solution asked for; until then `bundle` is null and
    submissions are refused, for the exercise shows the solutions of those. `hints` are those seen.
    """

    module: str
    provides: list[str]
    statement_html: Html
    stub: str
    example_tests: list[ExampleTest]
    hints: list[Text]
    gate: list[GatedBy]
    bundle: dict[str, Any] | None


class Hint(Struct, frozen=True):
    """The hint of this number, counted from 1."""

    number: Annotated[int, Meta(ge=1)]
    total: Annotated[int, Meta(ge=1)]
    hint: Text


class Solution(Struct, frozen=True):
    """The reference solution."""

    source: str


class GivenAnswer(Struct, frozen=True, kw_only=True):
    """An answer to a question: positions of choices, from 0, or a text; which, its kind decides.

    `asked`: the learner gives up and wants to be told; then nothing else is looked at.
    """

    choices: Annotated[list[Count], Meta(max_length=32)] = []
    text: Annotated[str, Meta(max_length=200)] = ""
    asked: bool = False


class ChoiceRemark(Struct, frozen=True):
    """What is wrong with a choice that was chosen."""

    choice: Count
    remark_html: Html


class RightAnswer(Struct, frozen=True):
    """The right choices, or what to write, and why."""

    choices: list[Count]
    text: str
    explanation_html: Html


class AnswerJudged(Struct, frozen=True):
    """Whether an answer is right. `solution` is there once it is, or if it was asked for.

    `incomplete`: every choice that was chosen is right, but others are, too.
    `right_in_chapter` counts the chapter's questions that the learner has answered rightly.
    """

    right: bool
    incomplete: bool
    remarks: list[ChoiceRemark]
    solution: RightAnswer | None
    right_in_chapter: Count


class ChapterProgress(Struct, frozen=True):
    """How far a learner is in a chapter."""

    name: str
    title: Text
    solved: Count
    total: Count


class ProgressReport(Struct, frozen=True):
    """How far a learner is."""

    solved: Count
    total: Count
    chapters: list[ChapterProgress]
    exercises: list[ExerciseRow]


class WorkersHealth(Struct, frozen=True):
    """Grading processes: how many there should be, and how many can grade now."""

    wanted: Count
    ready: Count


class Health(Struct, frozen=True):
    """Whether the site does its work."""

    status: Literal["ok", "failing"]
    database: bool
    workers: WorkersHealth


class Token(Struct, frozen=True):
    """What every request that changes something sends in the header `X-CSRFToken`."""

    csrf_token: str


EVENTS: dict[str, type] = {
    "waiting": Waiting,
    "running": Running,
    "result": TestResult,
    "done": Done,
    "replaced": Replaced,
}
