"""`judge.py check --mutants`: how many mutants of each reference solution the hidden tests catch."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import click

from judge.catalog import Exercise
from judge.cli import words
from judge.cli.bar import Bar
from judge.cli.page import Page
from judge.cli.session import Refusal, Session
from judge.cli.warm import WarmJudge
from judge.grade.mutants import GOAL_PERCENT, BrokenList, Mutant, Score, plan, prove
from judge.texts import Text
from judge.verdict import Status

PROVING = Text("mutants", "变异体")
CAUGHT = Text("{caught} of {count} caught, {percent:.1f} %", "捕获 {caught}/{count}，{percent:.1f} %")
EQUIVALENT = Text(", {count} equivalent", "，等价的有 {count} 个")
LIVES = Text("line {number} lives on: {mutant}", "第 {number} 行的变异体没有被捕获：{mutant}")
WAS = Text("was: {line}", "原来是：{line}")
SUMMARY = Text(
    "{good} of {total} exercises catch at least {goal} % of their mutants.",
    "{total} 个练习中有 {good} 个捕获了至少 {goal} % 的变异体。",
)
NEEDS = Text(
    "Mutants need the package cosmic-ray, which comes with the tests: make mutants",
    "变异测试需要软件包 cosmic-ray，它随测试一起安装：请运行 make mutants",
)
MISSING = 3


class Amount(click.ParamType):
    """`all`, or how many mutants of each exercise to try."""

    name = "N"

    def convert(self, value: object, *_: object) -> int | None:
        if value in ("all", None):
            return None
        if value == 0 and isinstance(value, int):  # the default: no mutants at all
            return 0
        if str(value).isdecimal() and int(str(value)) > 0:
            return int(str(value))
        self.fail("all, or a whole number from 1")


def run(
    session: Session,
    exercises: Sequence[Exercise],
    sample: int | None,
    require_tier: int,
    *,
    quiet: bool,
) -> tuple[list[Score], bool]:
    """Prove and, unless `quiet`, print; the scores, and whether all are good. Raises `Refusal`."""
    if importlib.util.find_spec("cosmic_ray") is None:
        raise Refusal(NEEDS, MISSING)
    try:
        plans = [plan(exercise, sample) for exercise in exercises]
    except BrokenList as problem:
        raise Refusal(Text(str(problem), str(problem)), 1) from None
    page = Page(session.out, session.language)
    wide = max(len(exercise.id) for exercise in exercises)
    scores: list[Score] = []
    with (
        WarmJudge(require_tier=require_tier) as warm,
        Bar(session.err, sum(len(p.mutants) for p in plans), PROVING[session.language]) as bar,
    ):
        for each in plans:
            # Bound here: the loop goes on to the next one.
            score = warm.wait_for(lambda each=each: prove(warm, each, on_mutant=bar.step))
            scores.append(score)
            with bar.hidden():
                if not quiet:
                    _show(page, score, wide)
    good = sum(score.good for score in scores)
    if not quiet:
        page.prose(page[SUMMARY].format(good=good, total=len(scores), goal=GOAL_PERCENT))
    return scores, good == len(scores)


def _show(page: Page, score: Score, wide: int) -> None:
    status = Status.PASS if score.good else Status.FAIL
    count = score.caught + len(score.survivors)
    text = page[CAUGHT].format(caught=score.caught, count=count, percent=score.percent)
    if score.equivalent:
        text += page[EQUIVALENT].format(count=score.equivalent)
    style = words.STYLES[status]
    page.row((f"{words.symbol(page.console, status)} ", style), (f"{score.exercise.id:{wide}}  {text}", ""))
    for mutant in score.survivors:
        page.prose(page[LIVES].format(number=mutant.number, mutant=mutant.mutant), indent=6)
        page.prose(page[WAS].format(line=mutant.line), indent=8, style="dim")
    for problem in score.problems:
        page.prose(problem, indent=6)


def as_value(score: Score) -> dict[str, object]:
    """A row for `--format json`."""
    return {
        "exercise": score.exercise.id,
        "kind": "mutants",
        "ok": score.good,
        "caught": score.caught,
        "percent": round(score.percent, 2),
        "equivalent": score.equivalent,
        "survivors": [_mutant(each) for each in score.survivors],
        "problems": list(score.problems),
    }


def _mutant(mutant: Mutant) -> dict[str, object]:
    return {
        "number": mutant.number,
        "line": mutant.line,
        "mutant": mutant.mutant,
        "operator": mutant.operator,
    }
