"""Folders to drafts: what could be read of a chapter or an exercise, with a complaint for the rest.

A draft may have gaps. Where one is, its complaint is already made, and the checks that follow pass
over it, so that one mistake does not hide another and is not told twice.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from judge.catalog import layout
from judge.catalog.complaints import Complaints
from judge.catalog.fields import Document, read_document, read_fields
from judge.catalog.files import entries, read_text
from judge.catalog.model import RightSolution
from judge.catalog.reading import ReadingDraft, read_reading
from judge.catalog.sources import FoundTest, find_tests, metadata_block, parse, top_level_names

_BLOCK = "begin the file with `# /// wrong`, lines `# fails = […]`, `# en = …`, `# zh = …`, `# ///`"


class WrongDraft(msgspec.Struct):
    """A wrong solution. `fields` are those of `layout.WrongSettings` that could be read."""

    path: Path
    source: str
    settings: Document
    fields: dict[str, Any]


class ExerciseDraft(msgspec.Struct, kw_only=True):
    """An exercise. `fields` are those of `layout.ExerciseSettings` that could be read."""

    folder: Path
    settings: Document | None
    fields: dict[str, Any]
    statement: dict[str, str | None]
    stub: str | None
    stub_names: frozenset[str] | None
    tests: dict[str, list[FoundTest] | None]
    wrong: list[WrongDraft]
    right: list[RightSolution]
    solution_path: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def test_names(self) -> frozenset[str] | None:
        """The tests of both files; None if one could not be read, for then nobody knows."""
        if None in self.tests.values():
            return None
        return frozenset(test.name for tests in self.tests.values() for test in tests or ())


class ChapterDraft(msgspec.Struct):
    """A chapter. `fields` are those of `layout.ChapterSettings` that could be read.

    `self_test` is None, and `questions` is empty, if there is no self-test or it cannot be read.
    """

    folder: Path
    settings: Document | None
    fields: dict[str, Any]
    exercises: list[ExerciseDraft]
    reading: ReadingDraft
    self_test: Document | None
    questions: tuple[layout.QuestionSettings, ...]


def read_chapters(root: Path, complaints: Complaints) -> list[ChapterDraft]:
    """Read everything under `root`/exercises."""
    found = entries(root / "exercises", complaints)
    return [
        _read_chapter(folder, root / "reference" / "solutions" / folder.name, complaints)
        for folder in _folders(found, ("README.md",), complaints)
    ]


def _read_chapter(folder: Path, solutions: Path, complaints: Complaints) -> ChapterDraft:
    path, self_test_path = folder / layout.CHAPTER, folder / layout.SELF_TEST
    settings = read_document(path, "the chapter's title and order", complaints)
    fields = read_fields(settings, layout.ChapterSettings)
    found = entries(folder, complaints)
    exercises = [
        _read_exercise(each, solutions / f"{each.name}.py", complaints)
        for each in _folders(found, layout.CHAPTER_FILES, complaints)
    ]
    self_test = None
    if self_test_path in found:
        self_test = read_document(self_test_path, "the chapter's self-test", complaints)
    questions = read_fields(self_test, layout.SelfTestSettings).get("questions", ())
    reading = read_reading(folder, found, complaints)
    return ChapterDraft(folder, settings, fields, exercises, reading, self_test, questions)


def _read_exercise(folder: Path, solution_path: Path, complaints: Complaints) -> ExerciseDraft:
    found = entries(folder, complaints)
    _refuse_others(found, (*layout.FILES, layout.WRONG, layout.RIGHT), complaints)
    settings = read_document(folder / layout.SETTINGS, layout.FILES[layout.SETTINGS], complaints)
    read_text(solution_path, "the reference solution", complaints)
    statement = {
        language: read_text(folder / file, layout.FILES[file], complaints)
        for language, file in layout.STATEMENTS.items()
    }
    wrong, right = folder / layout.WRONG, folder / layout.RIGHT
    stub, stub_tree = _read_python(folder / layout.STUB, complaints)
    return ExerciseDraft(
        folder=folder,
        settings=settings,
        fields=read_fields(settings, layout.ExerciseSettings),
        statement=statement,
        stub=stub,
        stub_names=None if stub_tree is None else top_level_names(stub_tree),
        tests={file: _read_tests(folder / file, complaints) for file in layout.TEST_FILES},
        wrong=_read_wrong(wrong, complaints) if wrong in found else [],
        right=_read_right(right, complaints) if right in found else [],
        solution_path=solution_path,
    )


def _read_python(path: Path, complaints: Complaints) -> tuple[str | None, ast.Module | None]:
    source = read_text(path, layout.FILES[path.name], complaints)
    return source, None if source is None else parse(path, source, complaints)


def _read_tests(path: Path, complaints: Complaints) -> list[FoundTest] | None:
    source, tree = _read_python(path, complaints)
    if source is None or tree is None:
        return None
    tests = find_tests(path, source, tree, complaints)
    if not tests:
        complaints.add(path, "no test", "write at least one function test_… with a docstring")
    return tests or None


def _read_wrong(folder: Path, complaints: Complaints) -> list[WrongDraft]:
    drafts = []
    for path, source in _read_solutions(folder, "a wrong solution", complaints):
        block = metadata_block(source)
        if isinstance(block, str):
            complaints.add(path, block, _BLOCK, line=1)
            continue
        settings = Document(path, block[0], complaints, first_line=block[1])
        fields = read_fields(settings, layout.WrongSettings)
        drafts.append(WrongDraft(path, source, settings, fields))
    return drafts


def _read_right(folder: Path, complaints: Complaints) -> list[RightSolution]:
    solutions = _read_solutions(folder, "another right solution", complaints)
    return [RightSolution(path.stem, source, path) for path, source in solutions]


def _read_solutions(folder: Path, what: str, complaints: Complaints) -> Iterator[tuple[Path, str]]:
    for path in entries(folder, complaints):
        if path.suffix != ".py":
            _refuse(path, "files *.py", complaints)
            continue
        source = read_text(path, what, complaints)
        if source is not None:
            yield path, source


def _folders(found: list[Path], files: tuple[str, ...], complaints: Complaints) -> list[Path]:
    """The folders of a level, their names checked. What else is not in `files` is refused."""
    folders = [path for path in found if os.path.isdir(path) and path.name not in files]
    for folder in folders:
        if folder.name == layout.TAKEN:
            problem = "the site has the chapter's self-test at this name"
            complaints.add(folder, problem, "give the exercise another name")
        if not layout.FOLDER_NAME.fullmatch(folder.name):
            better = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-")
            problem = "the folder's name is not lower-case words joined by hyphens"
            complaints.add(folder, problem, f"rename it, for example to {better or 'my-exercise'}")
    _refuse_others([path for path in found if path not in folders], files, complaints)
    return folders


def _refuse_others(found: list[Path], known: tuple[str, ...], complaints: Complaints) -> None:
    for path in found:
        if path.name not in known:
            _refuse(path, ", ".join(known), complaints)


def _refuse(path: Path, known: str, complaints: Complaints) -> None:
    # Not only tidiness: pytest would run a stray conftest.py, which no digest covers.
    complaints.add(path, "is not part of the format", f"move it away; known here: {known}")
