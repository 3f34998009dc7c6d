"""A question of a chapter's self-test: what is asked, and apart from it what is right."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from judge.texts import Text


class QuestionKind(StrEnum):
    """How a question is answered: by one choice, by all that are right, or by writing."""

    SINGLE = "single"
    MULTIPLE = "multiple"
    NUMBER = "number"
    TEXT = "text"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is right, and why. Filled is what the question's kind needs, the rest is empty.

    `right` holds the positions of the right choices, from 0; `remarks` has an entry per choice,
    which says what is wrong with it, or None. `number` is compared as a whole number; of
    `accepted`, any is right, whatever its case, the spaces beside its signs, and their width.

    `proof` is a Python program, or empty. Its last line is an expression with the right answer as
    its value: the number, the text, or the list of positions. Nobody but the tests runs it.
    """

    explanation: Text
    right: tuple[int, ...]
    remarks: tuple[Text | None, ...]
    number: int | None
    accepted: tuple[str, ...]
    proof: str


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One question. `name` is unique within its chapter; all texts are Markdown.

    `choices` is empty where the answer is written. Everything but `answer` may be shown before
    a learner has answered.
    """

    name: str
    kind: QuestionKind
    text: Text
    choices: tuple[Text, ...]
    answer: Answer
