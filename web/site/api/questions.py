"""`/api/v1/chapters/<chapter>/questions/<question>`: a chapter's self-test, question by question."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response

from judge.catalog import Chapter, Question, QuestionKind, UnknownTarget
from judge.texts import Text
from web.site import self_test
from web.site.api import schemas
from web.site.api.wire import read_json, reply
from web.site.errors import Problem
from web.site.learners import current_learner
from web.site.markdown import to_html
from web.site.site import current_site

NO_SUCH_QUESTION = Text("There is no question of this name.", "没有这个名字的题目。")


def answer_question(chapter: str, question: str) -> Response:
    """POST /api/v1/chapters/<chapter>/questions/<question>"""
    found, asked_for = _find(chapter, question)
    given = read_json(schemas.GivenAnswer)
    choices = [] if given.asked else given.choices
    try:
        right = not given.asked and self_test.is_right(asked_for, choices, given.text)
    except self_test.NoAnswer as refused:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "no_answer", refused.text) from None
    learner = current_learner()
    with current_site().database.write() as session:
        self_test.note_answer(session, learner, chapter, question, right)
        session.flush()
        rows = self_test.answered(session, learner, chapter)
    remarks = self_test.remarks_on(asked_for, choices)
    judged = schemas.AnswerJudged(
        right=right,
        incomplete=asked_for.kind is QuestionKind.MULTIPLE
        and set(choices) < set(asked_for.answer.right)
        and not given.asked,
        remarks=[schemas.ChoiceRemark(at, _html(remark)) for at, remark in remarks.items()],
        solution=_solution(asked_for) if right or given.asked else None,
        right_in_chapter=self_test.count_right(found, rows),
    )
    return reply(judged)


def _find(chapter: str, question: str) -> tuple[Chapter, Question]:
    try:
        found = current_site().course.catalog.chapter(chapter)
    except UnknownTarget:
        found = None
    asked_for = found and self_test.find_question(found, question)
    if found is None or asked_for is None:
        raise Problem(HTTPStatus.NOT_FOUND, "no_such_question", NO_SUCH_QUESTION)
    return found, asked_for


def _solution(question: Question) -> schemas.RightAnswer:
    return schemas.RightAnswer(
        choices=list(question.answer.right),
        text=self_test.written_answer(question),
        explanation_html=_html(question.answer.explanation),
    )


def _html(text: Text) -> schemas.Html:
    return schemas.Html(en=to_html(text.en), zh=to_html(text.zh))
