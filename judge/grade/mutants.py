"""Are the hidden tests good? Each small change of the reference solution must make one of them fail.

The changes are those of cosmic-ray's operators. What a change cannot alter (an annotation that is never
evaluated, a text that does not compile) is no mutant. A mutant that behaves as the reference does is
equivalent: the author lists it with a reason in `reference/solutions/CHAPTER/NAME.equivalent.toml`.
"""

from __future__ import annotations

import ast
import difflib
import random
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec

from judge.catalog import Exercise
from judge.grade.judge import Enough, Judge
from judge.verdict import Blame, Outcome, TestResult, Verdict

GOAL_PERCENT = 95
# A mutant that waits for ever costs no processor, so more at a time than cores.
WORKERS = 4
SEED = 1
# These need arguments, and put in other variables at random.
WITHOUT = {"core/VariableInserter", "core/VariableReplacer"}


@dataclass(frozen=True)
class Mutant:
    """One change: the `operator`'s name, the line's number, its text before and after, and the source."""

    operator: str
    number: int
    line: str
    mutant: str
    source: str


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[equivalent]]`: lines without their indentation, and why nobody could tell the two apart."""

    line: str
    mutant: str
    reason: str


class _Equivalents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    equivalent: tuple[Equivalent, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The mutants of an exercise that are to be run, and how many are listed as equivalent."""

    exercise: Exercise
    mutants: tuple[Mutant, ...]
    equivalent: int


@dataclass(frozen=True)
class Score:
    """What came of an exercise's mutants. `problems` are mutants that could not be judged."""

    exercise: Exercise
    caught: int
    survivors: tuple[Mutant, ...]
    equivalent: int
    problems: tuple[str, ...] = ()

    @property
    def percent(self) -> float:
        """Caught, of those that could be caught."""
        counted = self.caught + len(self.survivors)
        return 100.0 if not counted else 100 * self.caught / counted

    @property
    def good(self) -> bool:
        return self.percent >= GOAL_PERCENT and not self.problems


class BrokenList(ValueError):
    """A list of equivalent mutants that cannot be read, or that names what is no mutant."""


def mutants_of(source: str) -> Iterator[Mutant]:
    """Every different mutant of a module's text."""
    import cosmic_ray.plugins as plugins
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code

    original = _meaning(source)
    seen = {original}
    for name in sorted(set(plugins.operator_names()) - WITHOUT):
        operator = plugins.get_operator(name)()
        count = sum(
            1 for node in ast_nodes(get_ast(source)) for _ in operator.mutation_positions(node)
        )
        for occurrence in range(count):
            changed = mutate_code(source, operator, occurrence)
            meaning = None if changed is None else _meaning(changed)
            if meaning is not None and meaning not in seen:
                seen.add(meaning)
                yield Mutant(name, *_changed_line(source, changed), changed)


def _meaning(source: str) -> str | None:
    """What running the text depends on: its syntax without annotations; None if it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # `is` with a number, for one
            compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return ast.dump(_WithoutAnnotations().visit(ast.parse(source)))


class _WithoutAnnotations(ast.NodeTransformer):
    """Functions' and local variables' annotations; a class's stay, for dataclasses read them."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the names that ast calls


def _changed_line(before: str, after: str) -> tuple[int, str, str]:
    """The first line that differs: its number, and both texts without indentation."""
    old, new = before.split("\n"), after.split("\n")
    for _, start, end, new_start, new_end in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        # A removed decorator takes the empty lines above it along.
        gone = [i for i in range(start, end) if old[i].strip()]
        if old[start:end] != new[new_start:new_end] and gone:
            mutant = next((line.strip() for line in new[new_start:new_end] if line.strip()), "")
            return gone[0] + 1, old[gone[0]].strip(), mutant
    raise ValueError("nothing has changed")


def equivalents_path(exercise: Exercise) -> Path:
    return exercise.solution_path.with_suffix(".equivalent.toml")


def read_equivalents(exercise: Exercise) -> dict[tuple[str, str], str]:
    """(line, mutant) → reason. Raises `BrokenList`."""
    path = equivalents_path(exercise)
    try:
        listed = msgspec.toml.decode(path.read_bytes(), type=_Equivalents).equivalent
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as error:
        raise BrokenList(f"{path.name}: {error}") from None
    for each in listed:
        if not each.reason.strip():
            raise BrokenList(f"{path.name}: no reason for {each.mutant!r}")
    return {(each.line, each.mutant): each.reason for each in listed}


def plan(exercise: Exercise, sample: int | None = None) -> Plan:
    """The reference's mutants, or a `sample` of them, always the same. Raises `BrokenList`."""
    known = read_equivalents(exercise)
    mutants = list(mutants_of(exercise.solution))
    stale = set(known) - {(each.line, each.mutant) for each in mutants}
    if stale:
        line, mutant = sorted(stale)[0]
        name = equivalents_path(exercise).name
        raise BrokenList(f"{name}: no mutant turns {line!r} into {mutant!r}")
    possible = [each for each in mutants if (each.line, each.mutant) not in known]
    chosen = possible
    if sample is not None and sample < len(possible):
        chosen = random.Random(exercise.id).sample(possible, sample)
    return Plan(exercise, tuple(chosen), len(mutants) - len(possible))


def prove(judge: Judge, plan: Plan, *, on_mutant: Callable[[], None] | None = None) -> Score:
    """Run the hidden tests on each mutant, until one of them fails."""
    caught, survivors, problems = 0, [], []
    with ThreadPoolExecutor(WORKERS) as pool:
        found = pool.map(_Trial(judge, plan.exercise), plan.mutants)
        for mutant, problem in zip(plan.mutants, found, strict=True):
            if on_mutant is not None:
                on_mutant()
            if problem is None:
                survivors.append(mutant)
            elif problem:
                problems.append(f"line {mutant.number}, {mutant.mutant!r}: {problem}")
            else:
                caught += 1
    return Score(plan.exercise, caught, tuple(survivors), plan.equivalent, tuple(problems))


class _Trial:
    """Grades a mutant: "" if it is caught, None if it passes, else why it could not be judged."""

    def __init__(self, judge: Judge, exercise: Exercise) -> None:
        self._judge, self._exercise = judge, exercise

    def __call__(self, mutant: Mutant) -> str | None:
        try:
            verdict = self._judge.grade(
                self._exercise, mutant.source, "hidden", seed=SEED, on_result=_stop_at_failure
            )
        except Enough:
            return ""
        return _reading(verdict)


def _stop_at_failure(result: TestResult) -> None:
    if result.outcome not in (Outcome.PASSED, Outcome.INTERNAL):
        raise Enough


def _reading(verdict: Verdict) -> str | None:
    if verdict.blame in (Blame.AUTHOR, Blame.JUDGE):
        return verdict.message or verdict.verdict
    return None if verdict.passed else ""

