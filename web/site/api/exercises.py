"""`/api/v1/exercises` and `/api/v1/progress`: what there is to do, help, and how far a learner is."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response, request

from judge.catalog import Exercise
from judge.texts import LANGUAGES, Text
from web.site import progress
from web.site.api import schemas, shown
from web.site.api.submissions import no_such_exercise
from web.site.api.wire import read_json, reply
from web.site.course import Course
from web.site.errors import Problem
from web.site.learners import current_learner
from web.site.site import current_site

NO_MORE_HINTS = Text("There are no more hints.", "没有更多提示了。")
NOT_SOLVED = Text(
    "You have not solved this exercise yet. To see the solution all the same, ask for it.",
    "你还没有完成这个练习。如果仍要查看参考答案，请明确提出。",
)


def list_exercises() -> Response:
    """GET /api/v1/exercises"""
    site = current_site()
    with site.database.read() as session:
        rows = progress.of_all(session, current_learner())
    chapters = [
        schemas.ChapterRow(
            chapter.name,
            chapter.title,
            [shown.exercise_row(each, rows.get(each.id)) for each in chapter.exercises],
        )
        for chapter in site.course.catalog.chapters
    ]
    return reply(schemas.ExerciseList(chapters))


def read_exercise(chapter: str, name: str) -> Response:
    """GET /api/v1/exercises/<chapter>/<name>"""
    site, exercise = current_site(), _find(chapter, name)
    with site.database.read() as session:
        rows = progress.of_all(session, current_learner())
    closed = progress.closed_by(site.course, rows, exercise.id)
    gate = [schemas.GatedBy(other, site.course.exercise(other).title) for other in closed]
    detail = shown.exercise_detail(
        exercise,
        rows.get(exercise.id),
        statement=_statement(site.course, exercise.id),
        gate=gate,
        bundle=None if gate else site.course.bundle(exercise.id),
    )
    return reply(detail)


def _statement(course: Course, exercise: str) -> schemas.Html:
    """In the language asked for with `lang`, or in both."""
    language = request.args.get("lang")
    if language not in (None, *LANGUAGES):
        text = Text("`lang` must be en or zh.", "`lang` 只能是 en 或 zh。")
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_language", text)
    chosen = LANGUAGES if language is None else (language,)
    html = course.statement(exercise)
    return schemas.Html(**{each: html[each] for each in chosen})


def next_hint(chapter: str, name: str) -> Response:
    """POST /api/v1/exercises/<chapter>/<name>/hints"""
    exercise = _find(chapter, name)
    total = len(exercise.hints)
    with current_site().database.write() as session:
        row = progress.change(session, current_learner(), exercise.id)
        if row.hints >= total:
            raise Problem(HTTPStatus.CONFLICT, "no_more_hints", NO_MORE_HINTS)
        row.hints += 1
        number = row.hints
    return reply(schemas.Hint(number, total, exercise.hints[number - 1]))


def show_solution(chapter: str, name: str) -> Response:
    """POST /api/v1/exercises/<chapter>/<name>/solution"""
    exercise = _find(chapter, name)
    asked = read_json(schemas.AskForSolution, default=schemas.AskForSolution()).asked
    learner = current_learner()
    with current_site().database.write() as session:
        row = progress.of_one(session, learner, exercise.id)
        if not (row.solved or row.solution_asked or asked):
            raise Problem(HTTPStatus.FORBIDDEN, "not_solved", NOT_SOLVED)
        if not row.solved and not row.solution_asked:
            progress.change(session, learner, exercise.id).solution_asked = True
    return reply(schemas.Solution(exercise.solution))


def show_progress() -> Response:
    """GET /api/v1/progress"""
    site = current_site()
    with site.database.read() as session:
        rows = progress.of_all(session, current_learner())
    exercises = [shown.exercise_row(each, rows.get(each.id)) for each in site.course.exercises]
    chapters = []
    for chapter in site.course.catalog.chapters:
        solved = sum(e.chapter == chapter.name and e.state == "solved" for e in exercises)
        chapters.append(
            schemas.ChapterProgress(chapter.name, chapter.title, solved, len(chapter.exercises))
        )
    solved = sum(chapter.solved for chapter in chapters)
    return reply(schemas.ProgressReport(solved, len(exercises), chapters, exercises))


def _find(chapter: str, name: str) -> Exercise:
    exercise = current_site().course.find(f"{chapter}/{name}")
    if exercise is None:
        raise no_such_exercise()
    return exercise
