"""`load_catalog`: read everything, check everything, and only then build the values."""

from __future__ import annotations

from pathlib import Path

from judge.catalog.complaints import Complaints
from judge.catalog.drafts import ChapterDraft, ExerciseDraft, WrongDraft, read_chapters
from judge.catalog.layout import TEST_FILES
from judge.catalog.model import Catalog, Chapter, Exercise, TestInfo, WrongSolution
from judge.catalog.reference import Reference, bare_packages, scan, support_modules
from judge.catalog.self_test import build_questions
from judge.catalog.validate import replaced_modules, validate
from judge.texts import Text


def load_catalog(root: Path) -> Catalog:
    """Load `root`/exercises with the modules and solutions of `root`/reference.

    Raises CatalogError with every complaint about every exercise, if there is one.
    """
    root = root.absolute()
    complaints = Complaints(root)
    chapters = read_chapters(root, complaints)
    reference = scan(root / "reference")
    validate(chapters, reference, complaints)
    complaints.raise_if_any()
    replaced = frozenset(replaced_modules(chapters))
    built = [_chapter(draft, reference, replaced) for draft in chapters]
    return Catalog(tuple(sorted(built, key=lambda chapter: chapter.order)))


def _chapter(draft: ChapterDraft, reference: Reference, replaced: frozenset[str]) -> Chapter:
    name = draft.folder.name
    exercises = [_exercise(name, each, reference, replaced) for each in draft.exercises]
    exercises.sort(key=lambda exercise: exercise.order)
    return Chapter(
        name=name,
        exercises=tuple(exercises),
        reading=Text(**draft.reading.texts) if draft.reading.texts else None,
        drawings=draft.reading.drawings,
        questions=build_questions(draft.questions),
        **draft.fields,
    )


def _exercise(
    chapter: str, draft: ExerciseDraft, reference: Reference, replaced: frozenset[str]
) -> Exercise:
    fields = {name: value for name, value in draft.fields.items() if name != "tests"}
    return Exercise(
        chapter=chapter,
        name=draft.name,
        statement=Text(**draft.statement),
        stub=draft.stub,
        tests=_tests(draft),
        wrong=tuple(_wrong(each) for each in draft.wrong),
        right=tuple(draft.right),
        folder=draft.folder,
        solution_path=draft.solution_path,
        support_modules=support_modules(reference, replaced, fields["module"], fields["uses"]),
        bare_packages=bare_packages(reference, replaced, fields["module"], fields["uses"]),
        reference=reference.folder,
        **fields,
    )


def _tests(draft: ExerciseDraft) -> tuple[TestInfo, ...]:
    titles = draft.fields["tests"]
    found = [(file, test) for file in TEST_FILES for test in draft.tests[file]]
    return tuple(
        TestInfo(
            name=test.name,
            title=Text(test.title, titles[test.name].zh),
            visibility=TEST_FILES[file],
            file=file,
            source=test.source,
            order=order,
        )
        for order, (file, test) in enumerate(found)
    )


def _wrong(draft: WrongDraft) -> WrongSolution:
    return WrongSolution(
        name=draft.path.stem,
        fails=frozenset(draft.fields["fails"]),
        text=Text(draft.fields["en"], draft.fields["zh"]),
        source=draft.source,
        path=draft.path,
    )
