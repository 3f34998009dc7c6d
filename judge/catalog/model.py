"""The catalogue as typed values. They are only made from files that have passed every check."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from judge.catalog.files import decode
from judge.catalog.questions import Question
from judge.catalog.reference import support_sources
from judge.texts import Text
from judge.verdict import Visibility

# The upper bound also keeps out TOML's `inf`.
Seconds = Annotated[
    float, Meta(gt=0, le=3600, description="seconds, a number greater than 0, at most 3600")
]


class Limits(msgspec.Struct, frozen=True):
    """Wall-clock seconds for one test and for the whole submission; megabytes of memory."""

    test_seconds: Seconds = 5.0
    submission_seconds: Seconds = 30.0
    memory_mb: Annotated[
        int, Meta(gt=0, le=2**20, description="megabytes, a whole number greater than 0")
    ] = 1024


class TestInfo(msgspec.Struct, frozen=True):
    """One test function, read but never run here.

    `source` is its code with its decorators. `order` counts from 0 through the example tests and
    then the hidden ones, in the order of their files.
    """

    __test__ = False  # pytest must not take this class for a test

    name: str
    title: Text
    visibility: Visibility
    file: str
    source: str
    order: int


class WrongSolution(msgspec.Struct, frozen=True):
    """A typical mistake: all test functions it fails, and why. `name` is its file's stem."""

    name: str
    fails: frozenset[str]
    text: Text
    source: str
    path: Path


class RightSolution(msgspec.Struct, frozen=True):
    """A solution written differently from the reference, which has to pass just as well."""

    name: str
    source: str
    path: Path


class Exercise(msgspec.Struct, frozen=True, kw_only=True):
    """One exercise. Texts and sources are those of the time of loading, paths are absolute.

    `solution`, `tests_digest` and `support_sources(exercise)` read the disk each time, as the
    grading does, so a digest never describes files other than those that are graded.
    """

    chapter: str
    name: str
    title: Text
    order: int
    difficulty: int
    module: str
    provides: tuple[str, ...]
    prerequisites: tuple[str, ...]
    uses: tuple[str, ...]
    hides: tuple[str, ...]
    limits: Limits
    hints: tuple[Text, ...]
    statement: Text
    stub: str
    tests: tuple[TestInfo, ...]
    wrong: tuple[WrongSolution, ...]
    right: tuple[RightSolution, ...]
    folder: Path
    solution_path: Path
    support_modules: tuple[str, ...]
    bare_packages: frozenset[str]
    reference: Path

    @property
    def id(self) -> str:
        return f"{self.chapter}/{self.name}"

    @property
    def solution(self) -> str:
        """The reference solution's source. Raises OSError if the file has gone since loading."""
        return decode(self.solution_path.read_bytes())

    @property
    def tests_digest(self) -> str:
        """SHA-256 (hex) of everything beside the submission that decides a verdict.

        Two machines agree on it whatever their paths, file times or line endings. Raises OSError
        if a file has gone since loading.
        """
        settings = (
            self.module,
            sorted(self.provides),
            sorted(self.uses),
            self.limits,
        )
        parts = {"settings": msgspec.json.encode(settings)}
        for file in dict.fromkeys(test.file for test in self.tests):
            raw = (self.folder / file).read_bytes()
            parts[f"test {file}"] = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        for name, source in support_sources(self).items():
            parts[f"support {name}"] = source.encode()
        digest = hashlib.sha256()
        for label, content in sorted(parts.items()):
            # With the lengths, no text can move from one part to the next unnoticed.
            digest.update(f"{label} {len(content)}\n".encode())
            digest.update(content)
        return digest.hexdigest()


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter with its exercises in their order.

    `reading` is Markdown, or None. It shows drawings as `drawings/NAME`, where NAME is a key of
    `drawings`, and links to an exercise of the chapter as `NAME/`. `questions` is the self-test.
    """

    name: str
    title: Text
    order: int
    exercises: tuple[Exercise, ...]
    reading: Text | None
    drawings: dict[str, Path]
    questions: tuple[Question, ...]


class UnknownTarget(LookupError):
    """No chapter or exercise has this name. `text` says so to a learner, with the likely names."""

    def __init__(self, target: str, known: Iterable[str]) -> None:
        self.target = target
        self.suggestions = _suggest(target, list(known))
        names = ", ".join(self.suggestions)
        text = Text(f"There is no {target!r} here.", f"这里没有 {target!r}。")
        if names:
            text = Text(f"{text.en} Did you mean {names}?", f"{text.zh}是不是要找 {names}？")
        self.text = text
        super().__init__(text.en)


def _suggest(target: str, known: list[str]) -> tuple[str, ...]:
    """Names close as a whole, then by their last part: a learner may leave out the chapter."""
    close = difflib.get_close_matches(target, known)
    ends = difflib.get_close_matches(
        target.rpartition("/")[2], [name.rpartition("/")[2] for name in known]
    )
    close += [name for end in ends for name in known if name.rpartition("/")[2] == end]
    return tuple(dict.fromkeys(close))[:3]


class Catalog(msgspec.Struct, frozen=True):
    """All chapters in their order."""

    chapters: tuple[Chapter, ...]

    def chapter(self, name: str) -> Chapter:
        """The chapter `ch12`. Raises UnknownTarget."""
        for chapter in self.chapters:
            if chapter.name == name:
                return chapter
        raise UnknownTarget(name, [chapter.name for chapter in self.chapters])

    def exercise(self, target: str) -> Exercise:
        """The exercise `ch12/nd-tensor`. Raises UnknownTarget."""
        exercises = self.select()
        for exercise in exercises:
            if exercise.id == target:
                return exercise
        raise UnknownTarget(target, [exercise.id for exercise in exercises])

    def select(self, target: str | None = None) -> tuple[Exercise, ...]:
        """The exercises of `ch12`, the one of `ch12/nd-tensor`, or all. Raises UnknownTarget."""
        chosen: list[Exercise] = []
        known: list[str] = []
        for chapter in self.chapters:
            known.append(chapter.name)
            for exercise in chapter.exercises:
                known.append(exercise.id)
                if target in (None, chapter.name, exercise.id):
                    chosen.append(exercise)
        if target is not None and target not in known:
            raise UnknownTarget(target, known)
        return tuple(chosen)
