"""`self-test.toml`: whether each question can be asked and answered, and the questions as values."""

from __future__ import annotations

import ast
from typing import Any

from judge.catalog.complaints import or_closest
from judge.catalog.fields import Document
from judge.catalog.layout import FOLDER_NAME, QuestionSettings
from judge.catalog.questions import Answer, Question, QuestionKind
from judge.texts import LANGUAGES

# The keys that hold the right answer, by kind; the others have no place in such a question.
_ANSWERED_BY = {
    QuestionKind.SINGLE: "choices",
    QuestionKind.MULTIPLE: "choices",
    QuestionKind.NUMBER: "number",
    QuestionKind.TEXT: "accepted",
}
_MENDS = {
    "choices": "add [[questions.choices]] tables, each with text, the right ones with right = true",
    "number": "add number, a whole number such as 229",
    "accepted": 'add accepted, the right answers in all their spellings, such as ["XPUB"]',
}


def check_questions(settings: Document | None, questions: tuple[QuestionSettings, ...]) -> None:
    """Add a complaint for everything that keeps a question from being asked or answered."""
    # A question that could not be read has its complaint, and the places of the others are unknown.
    if settings is None or len((settings.data or {}).get("questions", ())) != len(questions):
        return
    first: dict[str, int] = {}
    for index, question in enumerate(questions):
        at = f"questions.{index}"
        if not FOLDER_NAME.fullmatch(question.name):
            problem = f"{question.name!r} is not lower-case words joined by hyphens"
            settings.complain(f"{at}.name", problem, "write a name such as who-decodes")
        if first.setdefault(question.name, index) != index:
            problem = f"question {first[question.name]} has this name too"
            settings.complain(f"{at}.name", problem, "give each question its own name")
        written = settings.data["questions"][index]
        _check_answer(settings, at, question, written)
        if question.proof:
            _check_proof(settings, f"{at}.proof", question.proof)


def build_questions(questions: tuple[QuestionSettings, ...]) -> tuple[Question, ...]:
    """The questions of a file that has passed every check."""
    return tuple(
        Question(
            name=each.name,
            kind=each.kind,
            text=each.text,
            choices=tuple(choice.text for choice in each.choices),
            answer=Answer(
                explanation=each.explanation,
                right=tuple(i for i, choice in enumerate(each.choices) if choice.right),
                remarks=tuple(choice.remark for choice in each.choices),
                number=each.number,
                accepted=each.accepted,
                proof=each.proof,
            ),
        )
        for each in questions
    )


def _check_answer(
    settings: Document, at: str, question: QuestionSettings, written: dict[str, Any]
) -> None:
    given = [key for key in _MENDS if written.get(key) not in (None, [])]
    needed = _ANSWERED_BY[question.kind]
    for key in given:
        if key != needed:
            problem = f"a question of the kind {question.kind} has no {key}"
            settings.complain(f"{at}.{key}", problem, f"remove it; {_MENDS[needed]}")
    if needed not in given:
        settings.complain(f"{at}.{needed}", "missing", _MENDS[needed])
    elif needed == "choices" and len(question.choices) == len(written["choices"]):
        _check_choices(settings, at, question)
        for index, table in enumerate(written["choices"]):
            if "remark" in table:
                _check_remark(settings, f"{at}.choices.{index}.remark", table["remark"])


def _check_choices(settings: Document, at: str, question: QuestionSettings) -> None:
    if len(question.choices) < 2:
        mend = "add [[questions.choices]] tables"
        settings.complain(f"{at}.choices", "fewer than two choices", mend)
    right = sum(choice.right for choice in question.choices)
    if right == 0:
        settings.complain(f"{at}.choices", "no choice is right", "mark one with right = true")
    if right > 1 and question.kind is QuestionKind.SINGLE:
        mend = 'leave right = true with one of them, or make the kind "multiple"'
        settings.complain(f"{at}.choices", f"{right} choices are right", mend)


def _check_remark(settings: Document, at: str, remark: dict[str, str]) -> None:
    """What the general reader of fields passes over in a text that may be absent."""
    for language in LANGUAGES:
        if not remark[language].strip():
            settings.complain(f"{at}.{language}", "empty", f"write the remark in {language}")
    for name in remark.keys() - set(LANGUAGES):
        mend = or_closest(name, LANGUAGES, f"remove it; known here: {', '.join(LANGUAGES)}")
        settings.complain(f"{at}.{name}", "unknown key", mend)


def _check_proof(settings: Document, key: str, proof: str) -> None:
    try:
        body = ast.parse(proof).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else type(error).__name__
        settings.complain(key, f"not Python: {reason}", "write valid Python")
        return
    if not body or not isinstance(body[-1], ast.Expr):
        mend = "end it with an expression whose value is the right answer"
        settings.complain(key, "its last line is no expression", mend)
