"""A chapter's self-test: whether an answer is right, and which questions a learner has answered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from judge.catalog import Chapter, Question, QuestionKind
from judge.texts import Text
from web.site.models import Answered, now
from web.site.progress import ensure_learner

# Whole numbers as people write them: 6000, 6,000, 6 000.
NUMBER = re.compile(r"[+-]?(\d{1,3}([,_ \u00a0]\d{3})+|\d+)")
QUOTES = str.maketrans("‘’“”【】", "''\"\"[]")
CHOICES = (QuestionKind.SINGLE, QuestionKind.MULTIPLE)

NOTHING_CHOSEN = Text("Choose an answer first.", "请先选一个答案。")
NOTHING_WRITTEN = Text("Write an answer first.", "请先写下答案。")
NO_NUMBER = Text("The answer is a whole number, such as 42.", "答案是一个整数，例如 42。")
NO_SUCH_CHOICE = Text("There is no such choice.", "没有这个选项。")


class NoAnswer(Exception):
    """What came is no answer to this question, neither right nor wrong. `text` is for the learner."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def is_right(question: Question, choices: Sequence[int], text: str) -> bool:
    """Whether the positions of the choices, from 0, or the text answer the question.

    Which of the two counts is a matter of the question's kind. Raises `NoAnswer`.
    """
    right = question.answer
    if question.kind in CHOICES:
        if not choices:
            raise NoAnswer(NOTHING_CHOSEN)
        if not set(choices) <= set(range(len(question.choices))):
            raise NoAnswer(NO_SUCH_CHOICE)
        return set(choices) == set(right.right)
    written = text.strip()
    if not written:
        raise NoAnswer(NOTHING_WRITTEN)
    if question.kind is QuestionKind.TEXT:
        return _plain(written) in {_plain(each) for each in right.accepted}
    if not NUMBER.fullmatch(written):
        raise NoAnswer(NO_NUMBER)
    return int(re.sub(r"[, _\u00a0]", "", written)) == right.number


def _plain(text: str) -> str:
    """The text without what depends on the keyboard: full-width signs, curly quotes, case, and spaces
    beside signs."""
    halved = unicodedata.normalize("NFKC", text).translate(QUOTES)
    return re.sub(r"\s*([^\w\s])\s*", r"\1", halved).strip().casefold()


def remarks_on(question: Question, choices: Iterable[int]) -> dict[int, Text]:
    """What is wrong with each of the chosen choices; the right ones are missing."""
    chosen = set(choices)
    remarks = enumerate(question.answer.remarks)
    return {at: remark for at, remark in remarks if at in chosen and remark is not None}


def written_answer(question: Question) -> str:
    """The right answer to a question that is answered by writing; else an empty text."""
    answer = question.answer
    return (
        str(answer.number) if question.kind is QuestionKind.NUMBER else "".join(answer.accepted[:1])
    )


def find_question(chapter: Chapter, name: str) -> Question | None:
    return next((each for each in chapter.questions if each.name == name), None)


def answered(session: Session, learner: str, chapter: str) -> dict[str, Answered]:
    """What the learner has answered in the chapter, by question."""
    chosen = select(Answered).where(Answered.learner == learner, Answered.chapter == chapter)
    return {row.question: row for row in session.scalars(chosen)}


def is_answered(question: Question, rows: Mapping[str, Answered]) -> bool:
    """Whether it was answered rightly, once at least."""
    return question.name in rows and rows[question.name].right is not None


def count_right(chapter: Chapter, rows: Mapping[str, Answered]) -> int:
    """How many of the chapter's questions, as they are now, were answered rightly."""
    return sum(is_answered(each, rows) for each in chapter.questions)


def note_answer(session: Session, learner: str, chapter: str, question: str, right: bool) -> None:
    """Keep that the learner has tried the question. Once right stays right."""
    row = session.get(Answered, (learner, chapter, question), with_for_update=True)
    if row is None:
        ensure_learner(session, learner)
        row = Answered(learner=learner, chapter=chapter, question=question)
        session.add(row)
    row.tried = now()
    if right and row.right is None:
        row.right = now()
