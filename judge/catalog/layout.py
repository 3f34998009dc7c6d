"""The form of an exercise on disk: its files, and the keys of its TOML tables.

The descriptions are part of the form: they complete the sentences "write …" and "add …: …" of a
complaint, so what an author is told stands beside the type that demands it.
"""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from judge.catalog.model import Limits
from judge.catalog.questions import QuestionKind
from judge.texts import Text
from judge.verdict import Visibility

FOLDER_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

SETTINGS = "exercise.toml"
STUB = "stub.py"
WRONG = "wrong"
RIGHT = "right"
# A chapter's page of this name is its self-test.
TAKEN = "self-test"
STATEMENTS = {"en": "statement.en.md", "zh": "statement.zh.md"}
TEST_FILES = {
    "test_examples.py": Visibility.EXAMPLE,
    "test_hidden.py": Visibility.HIDDEN,
}

# Every file an exercise must have, and what it is for.
FILES = {
    SETTINGS: "the exercise's settings",
    STATEMENTS["en"]: "the statement in English",
    STATEMENTS["zh"]: "the statement in Chinese",
    STUB: "what the learner starts from",
    "test_examples.py": "the tests shown to the learner",
    "test_hidden.py": "the tests run only by a judge",
}

# What a chapter may have beside its exercises.
CHAPTER = "chapter.toml"
READINGS = {"en": "reading.en.md", "zh": "reading.zh.md"}
READING_PURPOSES = {"en": "the reading in English", "zh": "the reading in Chinese"}
DRAWINGS = "drawings"
DRAWING_NAME = re.compile(rf"(?P<name>{FOLDER_NAME.pattern})\.(?P<language>en|zh)\.svg")
SELF_TEST = "self-test.toml"
CHAPTER_FILES = (CHAPTER, *READINGS.values(), DRAWINGS, SELF_TEST)


class ChapterSettings(msgspec.Struct, frozen=True):
    """`chapter.toml`."""

    title: Annotated[Text, Meta(description="a [title] table with en and zh")]
    order: Annotated[int, Meta(description="its place in the course, a whole number such as 12")]


class ChoiceSettings(msgspec.Struct, frozen=True):
    """`[[questions.choices]]`. A remark says to who chose it what is wrong with it."""

    text: Annotated[Text, Meta(description="the choice as text.en and text.zh")]
    right: Annotated[bool, Meta(description="true or false")] = False
    remark: Annotated[Text | None, Meta(description="the remark as remark.en and remark.zh")] = None


class QuestionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """`[[questions]]`."""

    name: Annotated[str, Meta(description="a name of its own, such as who-decodes")]
    kind: Annotated[
        QuestionKind, Meta(description=f"one of {', '.join(map(repr, map(str, QuestionKind)))}")
    ]
    text: Annotated[Text, Meta(description="the question as text.en and text.zh")]
    choices: Annotated[
        tuple[ChoiceSettings, ...], Meta(description="[[questions.choices]] tables")
    ] = ()
    number: Annotated[int | None, Meta(description="a whole number such as 229")] = None
    accepted: Annotated[
        tuple[str, ...], Meta(description="a list of the answers that are right")
    ] = ()
    explanation: Annotated[
        Text, Meta(description="why the answer is right, as explanation.en and explanation.zh")
    ]
    proof: Annotated[
        str, Meta(description="Python whose last line is an expression with the right answer")
    ] = ""


class SelfTestSettings(msgspec.Struct, frozen=True):
    """`self-test.toml`."""

    questions: Annotated[
        tuple[QuestionSettings, ...],
        Meta(min_length=1, description="at least one [[questions]] table"),
    ]


class TestTitle(msgspec.Struct, frozen=True):
    """`[tests.NAME]`. The English title is the test's docstring."""

    __test__ = False  # pytest must not take this class for a test

    zh: str


class ExerciseSettings(msgspec.Struct, frozen=True, kw_only=True):
    """`exercise.toml`."""

    order: Annotated[int, Meta(description="its place in the chapter, a whole number such as 20")]
    difficulty: Annotated[
        int, Meta(ge=1, le=5, description="a whole number from 1 (easy) to 5 (hard)")
    ]
    module: Annotated[
        str, Meta(description='the learner\'s module, such as "minisgl.message.utils"')
    ]
    provides: Annotated[
        tuple[str, ...], Meta(min_length=1, description="the names that the learner's file defines")
    ]
    prerequisites: Annotated[
        tuple[str, ...], Meta(description="names of exercises of the same chapter")
    ] = ()
    uses: Annotated[
        tuple[str, ...], Meta(description="modules of reference/minisgl that are needed beside it")
    ] = ()
    hides: Annotated[
        tuple[str, ...],
        Meta(description="further modules of reference/minisgl that hold this exercise's solution"),
    ] = ()
    title: Annotated[Text, Meta(description="a [title] table with en and zh")]
    limits: Annotated[Limits, Meta(description="a [limits] table")] = Limits()
    hints: Annotated[
        tuple[Text, ...],
        Meta(min_length=1, description="at least one [[hints]] table with en and zh"),
    ]
    tests: Annotated[
        dict[str, TestTitle],
        Meta(description="one [tests.NAME] table with zh for each test function"),
    ] = {}


class WrongSettings(msgspec.Struct, frozen=True):
    """The metadata block of a wrong solution."""

    fails: Annotated[
        tuple[str, ...],
        Meta(min_length=1, description="the names of all test functions that it fails"),
    ]
    en: str
    zh: str
