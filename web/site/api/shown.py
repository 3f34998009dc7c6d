"""From what the site knows to what the interface shows of it to one learner."""

from __future__ import annotations

from typing import Any

import msgspec

from judge.catalog import Exercise
from judge.verdict import Visibility
from web.site import progress
from web.site.api.schemas import (
    ExampleTest,
    ExerciseDetail,
    ExerciseRow,
    GatedBy,
    Html,
    StoredSubmission,
    SubmissionRow,
)
from web.site.models import Progress, Submission


def exercise_row(exercise: Exercise, row: Progress | None) -> ExerciseRow:
    """An exercise and how far one learner is in it."""
    return ExerciseRow(**_row_fields(exercise, row))


def _row_fields(exercise: Exercise, row: Progress | None) -> dict[str, Any]:
    return {
        "id": exercise.id,
        "chapter": exercise.chapter,
        "name": exercise.name,
        "title": exercise.title,
        "difficulty": exercise.difficulty,
        "prerequisites": [f"{exercise.chapter}/{name}" for name in exercise.prerequisites],
        "state": progress.state_of(row),
        "passed_tests": row.passed_tests if row else 0,
        "tests": row.tests if row else 0,
        "hints_total": len(exercise.hints),
        "hints_shown": min(row.hints, len(exercise.hints)) if row else 0,
        "solution_asked": bool(row and row.solution_asked),
    }


def exercise_detail(
    exercise: Exercise,
    row: Progress | None,
    *,
    statement: Html,
    gate: list[GatedBy],
    bundle: dict[str, Any] | None,
) -> ExerciseDetail:
    """An exercise as one learner may see it. `bundle` is left out while there is a gate."""
    fields = _row_fields(exercise, row)
    examples = [test for test in exercise.tests if test.visibility is Visibility.EXAMPLE]
    return ExerciseDetail(
        **fields,
        module=exercise.module,
        provides=list(exercise.provides),
        statement_html=statement,
        stub=exercise.stub,
        example_tests=[ExampleTest(test.name, test.title, test.source) for test in examples],
        hints=list(exercise.hints[: fields["hints_shown"]]),
        gate=gate,
        bundle=None if gate else bundle,
    )


def submission_row(submission: Submission) -> SubmissionRow:
    return SubmissionRow(**_submission_fields(submission))


def stored_submission(submission: Submission, place: int | None) -> StoredSubmission:
    verdict = submission.verdict
    return StoredSubmission(
        **_submission_fields(submission),
        source=submission.source,
        place=place,
        verdict=None if verdict is None else msgspec.Raw(verdict.encode()),
    )


def _submission_fields(submission: Submission) -> dict[str, Any]:
    names = (field.name for field in msgspec.structs.fields(SubmissionRow))
    return {name: getattr(submission, name) for name in names}
