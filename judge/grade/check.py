"""The author's and CI's gate: does an exercise judge its own solutions as it says it does?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from judge.catalog import Exercise
from judge.grade.bundle import make_bundle
from judge.grade.judge import Judge
from judge.grade.parity import PageRunner, differences
from judge.verdict import Blame, Status, Verdict

SEEDS = (1, 2)
# Many more than cores: a wrong solution that hangs only waits.
WORKERS = 8


@dataclass(frozen=True)
class Case:
    """One source to grade. `kind` is `reference`, `right`, `stub` or `wrong`; `path` is the file it stands in."""

    exercise: Exercise
    kind: str
    name: str
    path: Path
    source: str
    fails: frozenset[str] | None = None


@dataclass(frozen=True)
class Row:
    """What came of a case: no problems means that it behaves as declared."""

    case: Case
    problems: tuple[str, ...]
    milliseconds: float


def cases_of(exercise: Exercise) -> Iterator[Case]:
    path = exercise.solution_path
    yield Case(exercise, "reference", path.stem, path, exercise.solution)
    for right in exercise.right:
        yield Case(exercise, "right", right.name, right.path, right.source)
    yield Case(exercise, "stub", "stub", exercise.folder / "stub.py", exercise.stub)
    for wrong in exercise.wrong:
        yield Case(exercise, "wrong", wrong.name, wrong.path, wrong.source, wrong.fails)


def check(
    judge: Judge,
    exercises: Iterable[Exercise],
    *,
    page: PageRunner | None = None,
    workers: int = WORKERS,
    on_row: Callable[[Row], None] | None = None,
    on_done: Callable[[], None] | None = None,
) -> list[Row]:
    """Grade every case with two seeds, and in `page` if there is one; rows in the order of the cases.

    `on_row` gets the rows in that order, each as soon as it and those before it are known. `on_done` is
    called whenever a case is done, in whatever order and thread.
    """
    cases = [case for exercise in exercises for case in cases_of(exercise)]
    rows: dict[int, Future[Row]] = {}
    # A page grades one after the other, so one thread goes on with what is graded.
    with ThreadPoolExecutor(workers) as grading, ThreadPoolExecutor(1) as comparing:
        try:
            for number in _in_turn(cases):
                case = cases[number]
                graded = [
                    grading.submit(judge.grade, case.exercise, case.source, "all", seed=seed)
                    for seed in SEEDS
                ]
                rows[number] = comparing.submit(_row, case, graded, page)
                if on_done is not None:
                    rows[number].add_done_callback(lambda _: on_done())
            for number in range(len(cases)):
                row = rows[number].result()
                if on_row is not None:
                    on_row(row)
        except BaseException:
            for pool in (grading, comparing):
                pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [rows[number].result() for number in range(len(cases))]


def _in_turn(cases: list[Case]) -> list[int]:
    """The cases' numbers, one of each exercise in turn.

    So what waits, as queues do, goes on beside what computes, and neither comes all at once.
    """
    seen: Counter[str] = Counter()
    turns = []
    for number, case in enumerate(cases):
        turns.append((seen[case.exercise.id], number))
        seen[case.exercise.id] += 1
    return [number for _, number in sorted(turns)]


def _row(case: Case, graded: list[Future[Verdict]], page: PageRunner | None) -> Row:
    verdicts = [each.result() for each in graded]
    problems = list(_problems(case, verdicts[0]))
    patterns = [sorted(v.failed_functions) for v in verdicts]
    if verdicts[0].verdict != verdicts[1].verdict or patterns[0] != patterns[1]:
        problems.append(
            f"two seeds disagree: {verdicts[0].verdict} {patterns[0]} with seed {SEEDS[0]}, "
            f"{verdicts[1].verdict} {patterns[1]} with seed {SEEDS[1]}"
        )
    if page is not None and verdicts[0].blame not in (Blame.AUTHOR, Blame.JUDGE):
        problems += _compare(page, case, verdicts[0])
    return Row(case, tuple(problems), verdicts[0].duration_ms)


def _compare(page: PageRunner, case: Case, verdict: Verdict) -> list[str]:
    """How the page's verdict differs, twice: a busy machine may make a waiting program late once."""
    bundle = make_bundle(case.exercise)
    for _ in range(2):
        found = list(differences(verdict, page.grade(bundle, case.source, verdict.seed)))
        if not found:
            break
    return found


def _problems(case: Case, verdict: Verdict) -> Iterator[str]:
    if verdict.blame in (Blame.AUTHOR, Blame.JUDGE):
        yield f"not judged (blame: {verdict.blame}): {verdict.message}"
        return
    if case.kind in ("reference", "right"):
        if verdict.status is not Status.PASS:
            yield f"does not pass: {verdict.message or ''} {_failures(verdict)}".strip()
        return
    if verdict.status is Status.PASS:
        yield "passes, and must fail"
        return
    if case.fails is None:
        return
    if not verdict.tests:
        yield f"no test was run: {verdict.message}"
        return
    failed = verdict.failed_functions
    for name in sorted(case.fails - failed):
        yield f"should fail {name}, which passes"
    for name in sorted(failed - case.fails):
        yield f"fails {name}, which is not declared: {_message(verdict, name)}"
    if failed == case.fails and [e.wrong for e in verdict.explanations] != [case.name]:
        yield "does not get its own explanation"


def _failures(verdict: Verdict) -> str:
    return "; ".join(
        f"{name}: {_message(verdict, name)}" for name in sorted(verdict.failed_functions)
    )


def _message(verdict: Verdict, function: str) -> str:
    found = next((t for t in verdict.tests if t.function == function and t.message), None)
    return (found.message or "") if found else ""
