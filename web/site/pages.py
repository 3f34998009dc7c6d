"""The pages a learner sees, in English below `/en/` and in Chinese below `/zh/`.

They are complete without scripts, except that code is written and run by `web/frontend`. What they show
comes from the same modules as the answers of the API; nothing here changes anything.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, send_file, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from judge.catalog import Chapter, Exercise, Question, UnknownTarget
from judge.texts import LANGUAGES, Language, Text
from judge.verdict import Visibility, from_json
from web.site import progress, self_test, submissions
from web.site.learners import current_learner
from web.site.markdown import to_html, to_inline_html
from web.site.models import Answered, Progress, State
from web.site.reading import Reading, render_reading
from web.site.rendering import LANGUAGE_COOKIE, exercise_address, render_page, sentence
from web.site.site import current_site
from web.site.texts import self_test_words

PAGE_SIZE = 30

pages = Blueprint("pages", __name__, template_folder="templates")
pages.add_app_template_filter(sentence)
pages.add_app_template_filter(lambda text: _html(text), "markdown")
pages.add_app_template_filter(lambda text: _inline_html(text), "inline_markdown")


@dataclass(frozen=True)
class Row:
    """An exercise in a list, and how far the learner is in it."""

    exercise: Exercise
    state: str
    passed: int
    tests: int
    closed: bool


@dataclass(frozen=True)
class ChapterRows:
    """A chapter in a list."""

    chapter: Chapter
    rows: list[Row]

    @property
    def solved(self) -> int:
        return sum(row.state == "solved" for row in self.rows)


@dataclass(frozen=True)
class AskedQuestion:
    """A question of the self-test, whether the learner has tried it, and whether rightly."""

    question: Question
    tried: bool
    right: bool


@pages.get("/")
def home() -> AnyResponse:
    """To the language chosen before, else to the one the browser asks for."""
    language = request.cookies.get(LANGUAGE_COOKIE)
    if language not in LANGUAGES:
        language = request.accept_languages.best_match(LANGUAGES, default="en")
    return redirect(url_for("pages.course", language=language))


@pages.get("/<any(en, zh):language>/")
def course(language: Language) -> Response:
    chapters = _chapters()
    rows = [row for chapter in chapters for row in chapter.rows]
    return render_page(language, "course.html", chapters=chapters, going_on=_next_to_do(rows))


@pages.get("/<any(en, zh):language>/<chapter>/")
def chapter(language: Language, chapter: str) -> Response:
    shown = next((each for each in _chapters() if each.chapter.name == chapter), None)
    if shown is None:
        abort(404)
    return render_page(
        language,
        "chapter.html",
        shown=shown,
        going_on=_next_to_do(shown.rows),
        reading=_reading(language, shown.chapter),
        answered_right=self_test.count_right(shown.chapter, _answered(chapter)),
    )


@pages.get("/<any(en, zh):language>/<chapter>/self-test/")
def self_test_page(language: Language, chapter: str) -> Response:
    """The questions of a chapter. What is right stands there only where the learner has found it."""
    found = _find_chapter(chapter)
    if not found.questions:
        abort(404)
    rows = _answered(chapter)
    return render_page(
        language,
        "self_test.html",
        words=self_test_words(language),
        chapter=found,
        questions=[
            AskedQuestion(each, each.name in rows, self_test.is_answered(each, rows))
            for each in found.questions
        ],
        answered_right=self_test.count_right(found, rows),
        written_answer=self_test.written_answer,
    )


@pages.get("/<any(en, zh):language>/<chapter>/drawings/<name>")
def drawing(language: Language, chapter: str, name: str) -> Response:
    """A drawing of the chapter's reading, which names it relative to the chapter's page."""
    path = _find_chapter(chapter).drawings.get(name)
    if path is None:
        abort(404)
    return send_file(path, mimetype="image/svg+xml", max_age=0)


@pages.get("/<any(en, zh):language>/<chapter>/<name>/")
def exercise(language: Language, chapter: str, name: str) -> Response:
    site, found = current_site(), _find(chapter, name)
    with site.database.read() as session:
        rows = progress.of_all(session, current_learner())
    closed = [
        site.course.exercise(other) for other in progress.closed_by(site.course, rows, found.id)
    ]
    everything = site.course.exercises
    at = everything.index(found)
    following = everything[at + 1] if at + 1 < len(everything) else None
    row = rows.get(found.id) or progress.empty(current_learner(), found.id)
    return render_page(
        language,
        "exercise.html",
        exercise=found,
        chapter=site.course.catalog.chapter(chapter),
        statement=Markup(site.course.statement(found.id)[language]),
        needed=[site.course.exercise(f"{chapter}/{each}") for each in found.prerequisites],
        closed=closed,
        solved=row.solved is not None,
        previous=everything[at - 1] if at else None,
        following=following,
        data=_exercise_data(language, found, row, following, bool(closed)),
    )


@pages.get("/<any(en, zh):language>/<chapter>/<name>/hints")
def hints(language: Language, chapter: str, name: str) -> dict[str, list[str]]:
    """The hints that the learner has seen, as HTML in their language."""
    found = _find(chapter, name)
    with current_site().database.read() as session:
        row = progress.of_one(session, current_learner(), found.id)
    return {"hints": _hints_seen(language, found, row)}


@pages.get("/<any(en, zh):language>/submissions/")
def submission_list(language: Language) -> Response:
    site = current_site()
    with site.database.read() as session:
        rows, more = submissions.list_own(
            session, current_learner(), None, PAGE_SIZE, request.args.get("cursor")
        )
    shown = [(row, site.course.find(row.exercise)) for row in rows]
    cursor = rows[-1].id if more else None
    return render_page(language, "submissions.html", shown=shown, cursor=cursor)


@pages.get("/<any(en, zh):language>/submissions/<submission_id>")
def submission(language: Language, submission_id: str) -> Response:
    site = current_site()
    with site.database.read() as session:
        row = submissions.find_own(session, current_learner(), submission_id)
    if row is None:
        abort(404)
    return render_page(
        language,
        "submission.html",
        row=row,
        exercise=site.course.find(row.exercise),
        verdict=None if row.verdict is None else from_json(row.verdict.encode()),
        pending=row.state in (State.WAITING, State.RUNNING),
    )


@pages.errorhandler(404)
def not_found(error: HTTPException) -> Response:
    language = (request.view_args or {}).get("language", "en")
    response = render_page(language, "not_found.html")
    response.status_code = 404
    return response


@functools.cache
def _html(markdown: str) -> Markup:
    return Markup(to_html(markdown))


@functools.cache
def _inline_html(markdown: str) -> Markup:
    return Markup(to_inline_html(markdown))


def _reading(language: Language, chapter: Chapter) -> Reading | None:
    if chapter.reading is None:
        return None
    titles = tuple((each.name, each.title[language]) for each in chapter.exercises)
    return _render_reading(chapter.reading[language], titles)


@functools.cache
def _render_reading(markdown: str, titles: tuple[tuple[str, str], ...]) -> Reading:
    return render_reading(markdown, dict(titles))


def _find_chapter(name: str) -> Chapter:
    try:
        return current_site().course.catalog.chapter(name)
    except UnknownTarget:
        abort(404)


def _answered(chapter: str) -> dict[str, Answered]:
    with current_site().database.read() as session:
        return self_test.answered(session, current_learner(), chapter)


def _find(chapter: str, name: str) -> Exercise:
    found = current_site().course.find(f"{chapter}/{name}")
    if found is None:
        abort(404)
    return found


def _chapters() -> list[ChapterRows]:
    site = current_site()
    with site.database.read() as session:
        rows = progress.of_all(session, current_learner())
    return [
        ChapterRows(chapter, [_row(each, rows) for each in chapter.exercises])
        for chapter in site.course.catalog.chapters
    ]


def _row(exercise: Exercise, rows: dict[str, Progress]) -> Row:
    row = rows.get(exercise.id)
    return Row(
        exercise=exercise,
        state=progress.state_of(row),
        passed=row.passed_tests if row else 0,
        tests=row.tests if row else 0,
        closed=bool(progress.closed_by(current_site().course, rows, exercise.id)),
    )


def _next_to_do(rows: list[Row]) -> Row | None:
    """The first exercise that is not solved; None if all are."""
    return next((row for row in rows if row.state != "solved"), None)


def _hints_seen(language: Language, exercise: Exercise, row: Progress) -> list[str]:
    return [to_html(hint[language]) for hint in exercise.hints[: row.hints]]


def _exercise_data(
    language: Language,
    exercise: Exercise,
    row: Progress,
    following: Exercise | None,
    is_closed: bool,
) -> dict[str, Any]:
    """What `web/frontend` works with, in the form of its `page_data.ts`."""
    examples = [test for test in exercise.tests if test.visibility is Visibility.EXAMPLE]
    return {
        "id": exercise.id,
        "stub": exercise.stub,
        "tests": [{"name": each.name, "title": _both(each.title)} for each in examples],
        "hintsTotal": len(exercise.hints),
        "hints": _hints_seen(language, exercise, row),
        "solved": row.solved is not None,
        "solution": exercise.solution if row.solved or row.solution_asked else None,
        "next": following
        and {"address": exercise_address(language, following), "title": following.title[language]},
        "bundle": None if is_closed else current_site().course.bundle(exercise.id),
    }


def _both(text: Text) -> dict[Language, str]:
    return {language: text[language] for language in LANGUAGES}
