"""Mutants of a reference solution: which there are, and what the hidden tests make of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.catalog import Exercise, load_catalog
from judge.grade import Judge
from judge.grade.mutants import BrokenList, mutants_of, plan, prove

HERE = Path(__file__).parent


@pytest.fixture
def exercise(tmp_path: Path) -> Exercise:
    """A copy of ch1/double, whose files a test may change."""
    shutil.copytree(HERE / "course", tmp_path / "course")
    return load_catalog(tmp_path / "course").exercise("ch1/double")


def changes(source: str) -> set[tuple[str, str]]:
    return {(each.line, each.mutant) for each in mutants_of(source)}


def test_mutants_are_small_changes_that_compile_and_differ():
    source = "def clip(x: int) -> int | None:\n    while x > 9:\n        break\n    return x + 1\n"
    found = changes(source)
    assert {
        ("while x > 9:", "while x >= 9:"),
        ("while x > 9:", "while not x > 9:"),
        ("while x > 9:", "while x > 10:"),
        ("break", "continue"),
        ("return x + 1", "return x - 1"),
    } <= found
    assert all(line != mutant for line, mutant in found)
    sources = [each.source for each in mutants_of(source)]
    assert len(set(sources)) == len(sources)
    for each in sources:
        compile(each, "mutant", "exec")


def test_an_annotation_that_is_never_evaluated_is_no_mutant():
    assert changes("def same(x: Literal[1]) -> Literal[1]:\n    return x\n") == set()
    assert changes("class A:\n    x: Literal[1]\n")  # a dataclass may read it


def test_a_removed_decorator_is_told_by_its_line():
    source = "import functools\n\n\n@functools.cache\ndef one():\n    return [][0]\n"
    assert ("@functools.cache", "") in changes(source)


def test_hidden_tests_catch_mutants_and_miss_what_they_do_not_look_at(exercise: Exercise):
    with Judge() as judge:
        chosen = plan(exercise)
        seen = []
        score = prove(judge, chosen, on_mutant=lambda: seen.append(1))
        assert len(seen) == len(chosen.mutants) == score.caught + len(score.survivors)
        assert score.caught and not score.problems
        # A hidden test that no longer looks lets its mutants live.
        hidden = exercise.folder / "test_hidden.py"
        head = hidden.read_text().partition("\ndef test_")[0]
        hidden.write_text(f'{head}\ndef test_nothing():\n    """Nothing."""\n')
        settings = exercise.folder / "exercise.toml"
        kept = settings.read_text().partition("[tests.")[0]
        names = [t.name for t in exercise.tests if t.file == "test_examples.py"]
        kept += "".join(f'[tests.{name}]\nzh = "测试"\n' for name in [*names, "test_nothing"])
        settings.write_text(kept)
        shutil.rmtree(exercise.folder / "wrong")
        blind = load_catalog(exercise.folder.parents[2]).exercise("ch1/double")
        missed = prove(judge, plan(blind))
        assert missed.caught < score.caught and not missed.good
        assert missed.percent < score.percent


def test_equivalent_mutants_are_listed_with_a_reason(exercise: Exercise):
    everything = plan(exercise)
    first = everything.mutants[0]
    listed = exercise.solution_path.with_suffix(".equivalent.toml")

    def list_it(mutant: str, reason: str) -> None:
        entry = f"[[equivalent]]\nline = '''{first.line}'''\nmutant = '''{mutant}'''\n"
        listed.write_text(f"{entry}reason = '''{reason}'''\n", "utf-8")

    list_it(first.mutant, "Nobody can tell.")
    chosen = plan(exercise)
    assert (chosen.equivalent, len(chosen.mutants)) == (1, len(everything.mutants) - 1)
    assert first not in chosen.mutants

    list_it("pass  # no such mutant", "Nobody can tell.")
    with pytest.raises(BrokenList, match="no mutant turns"):
        plan(exercise)
    list_it(first.mutant, " ")
    with pytest.raises(BrokenList, match="no reason"):
        plan(exercise)
    listed.write_text("[[equivalent]\n")
    with pytest.raises(BrokenList, match="equivalent.toml"):
        plan(exercise)


def test_a_sample_is_always_the_same(exercise: Exercise):
    sample = plan(exercise, 3)
    assert len(sample.mutants) == 3 and set(sample.mutants) <= set(plan(exercise).mutants)
    assert plan(exercise, 3) == sample
