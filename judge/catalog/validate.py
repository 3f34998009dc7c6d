"""The checks that look at more than one value: whether the parts of an exercise fit together."""

from __future__ import annotations

import graphlib
import keyword
from collections.abc import Iterator

from judge.catalog.complaints import Complaints, or_closest
from judge.catalog.drafts import ChapterDraft, ExerciseDraft
from judge.catalog.fields import Document
from judge.catalog.reading import check_reading
from judge.catalog.reference import Reference, parents, support_modules
from judge.catalog.self_test import check_questions


def validate(chapters: list[ChapterDraft], reference: Reference, complaints: Complaints) -> None:
    """Add a complaint for everything that does not fit, as far as the drafts could be read."""
    _check_orders([(chapter.settings, chapter.fields, chapter.folder.name) for chapter in chapters])
    replaced = replaced_modules(chapters)
    for chapter in chapters:
        exercises = chapter.exercises
        _check_orders([(each.settings, each.fields, each.name) for each in exercises])
        _check_prerequisites(exercises)
        check_reading(chapter.reading, [each.name for each in exercises], complaints)
        check_questions(chapter.self_test, chapter.questions)
        for exercise in exercises:
            if exercise.settings is not None and exercise.settings.data is not None:
                _check_provides(exercise, exercise.settings)
                _check_modules(exercise, exercise.settings, reference, replaced)
                _check_titles(exercise, exercise.settings)
            _check_names_across_files(exercise, complaints)
            _check_wrong(exercise)


def replaced_modules(chapters: list[ChapterDraft]) -> dict[str, str]:
    """Each module that an exercise teaches or hides, with the name of one such exercise."""
    return {
        module: f"{chapter.folder.name}/{exercise.name}"
        for chapter in chapters
        for exercise in chapter.exercises
        if "module" in exercise.fields
        for module in (exercise.fields["module"], *exercise.fields.get("hides", ()))
    }


def _check_orders(drafts: list[tuple[Document | None, dict, str]]) -> None:
    first: dict[int, str] = {}
    for settings, fields, name in drafts:
        if settings is None or "order" not in fields:
            continue
        order = fields["order"]
        if order in first:
            problem = f"{order} is the order of {first[order]} too"
            settings.complain("order", problem, "give each its own order")
        first.setdefault(order, name)


def _check_prerequisites(exercises: list[ExerciseDraft]) -> None:
    by_name = {exercise.name: exercise for exercise in exercises}
    graph: dict[str, set[str]] = {}
    for name, exercise in by_name.items():
        graph[name] = set()
        for index, required in enumerate(exercise.fields.get("prerequisites", ())):
            if required in by_name:
                graph[name].add(required)
                continue
            problem = f"this chapter has no exercise {required}"
            mend = or_closest(required, by_name, f"name one of: {', '.join(by_name)}")
            exercise.settings.complain(f"prerequisites.{index}", problem, mend)

    for circle in _circles(graph):
        problem = f"a circle: {' needs '.join(circle)}"
        by_name[circle[0]].settings.complain("prerequisites", problem, "remove one of them")

    for name, exercise in by_name.items():
        for required in sorted(graph[name]):
            own, other = exercise.fields.get("order"), by_name[required].fields.get("order")
            if own is not None and other is not None and other > own:
                problem = f"{required} comes later, its order is {other}"
                mend = f"give it an order below {own}"
                exercise.settings.complain("prerequisites", problem, mend)


def _circles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """Circles of the graph, taking the edges of each out of it, so that the later checks rest."""
    while True:
        try:
            graphlib.TopologicalSorter(graph).prepare()
            return
        except graphlib.CycleError as error:
            # The error names each one before those that need it; turned round, each needs the next.
            circle = error.args[1][::-1]
            for name, required in zip(circle, circle[1:], strict=False):
                graph[name].discard(required)
            yield circle


def _check_provides(exercise: ExerciseDraft, settings: Document) -> None:
    for index, name in enumerate(exercise.fields.get("provides", ())):
        key = f"provides.{index}"
        if not _is_identifier(name):
            settings.complain(key, f"{name!r} is not a Python name", "write a name such as pack")
        elif exercise.stub_names is not None and name not in exercise.stub_names:
            mend = or_closest(name, exercise.stub_names, f"define {name} there at the top level")
            settings.complain(key, f"stub.py does not define {name}", mend)


def _check_modules(
    exercise: ExerciseDraft, settings: Document, reference: Reference, replaced: dict[str, str]
) -> None:
    module = exercise.fields.get("module")
    uses = exercise.fields.get("uses", ())
    for index, name in enumerate(uses):
        if name == module:
            settings.complain(f"uses.{index}", f"{name} is the exercise's own module", "remove it")
        elif name not in reference.modules:
            mend = or_closest(name, reference.modules, "name a module of reference/minisgl")
            settings.complain(f"uses.{index}", f"the reference tree has no module {name}", mend)
    for index, name in enumerate(exercise.fields.get("hides", ())):
        if name not in reference.modules:
            mend = or_closest(name, reference.modules, "name a module of reference/minisgl")
            settings.complain(f"hides.{index}", f"the reference tree has no module {name}", mend)
    if module is None:
        return
    if not all(map(_is_identifier, module.split("."))):
        mend = "write a dotted name such as minisgl.message.utils"
        settings.complain("module", f"{module!r} is not a module's name", mend)
        return
    if module not in reference.modules and module.rpartition(".")[0] not in reference.packages:
        otherwise = "name a module of reference/minisgl, or a new one in one of its packages"
        problem = f"the reference tree has neither the module {module} nor a package to add it to"
        settings.complain("module", problem, or_closest(module, reference.modules, otherwise))
        return
    visible = {module, *support_modules(reference, replaced, module, uses)}
    needed = {package: name for name in (*uses, module) for package in parents(name)}
    for package, name in needed.items():
        if package in reference.packages and package not in visible:
            problem = f"{name} lies in {package}, which {replaced[package]} replaces and so hides"
            settings.complain("uses", problem, f'add "{package}" to uses')


def _check_titles(exercise: ExerciseDraft, settings: Document) -> None:
    titled = settings.data.get("tests", {})
    names = exercise.test_names
    if not isinstance(titled, dict) or names is None:
        return
    for name in sorted(names - titled.keys()):
        problem, mend = "missing", f"add a table [tests.{name}] with the test's Chinese title as zh"
        settings.complain(f"tests.{name}.zh", problem, mend)
    for name in sorted(titled.keys() - names):
        mend = or_closest(name, names, "remove the table, or write the test")
        settings.complain(f"tests.{name}", "there is no test of this name", mend)


def _check_names_across_files(exercise: ExerciseDraft, complaints: Complaints) -> None:
    first: dict[str, str] = {}
    for file, tests in exercise.tests.items():
        for test in tests or ():
            other = first.setdefault(test.name, file)
            if other != file:
                path, problem = exercise.folder / file, f"{other} has a test of this name too"
                mend = "rename one: a name is unique within the exercise"
                complaints.add(path, problem, mend, key=test.name, line=test.line)


def _check_wrong(exercise: ExerciseDraft) -> None:
    names = exercise.test_names
    first: dict[frozenset[str], str] = {}
    for wrong in exercise.wrong:
        fails = wrong.fields.get("fails", ())
        for index, name in enumerate(fails):
            if names is not None and name not in names:
                mend = or_closest(name, names, "name test functions of this exercise")
                wrong.settings.complain(f"fails.{index}", f"there is no test {name}", mend)
        other = first.setdefault(frozenset(fails), wrong.path.name)
        if fails and other != wrong.path.name:
            problem = f"{other} fails the same tests, so their explanations cannot be told apart"
            mend = "add a test that only one of them fails, or merge the two"
            wrong.settings.complain("fails", problem, mend)


def _is_identifier(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)
