"""`judge.py check [TARGET]`: the author's gate. Does every exercise judge as it says?"""

from __future__ import annotations

import os
from collections.abc import Iterable

import click
import msgspec

from judge.catalog import CatalogError
from judge.cli import annotations, proof, words
from judge.cli.bar import Bar
from judge.cli.names import COMMANDS
from judge.cli.node_page import node_page
from judge.cli.page import Page
from judge.cli.parsing import Command, Option, tier_option
from judge.cli.session import Session
from judge.cli.warm import WarmJudge
from judge.grade.check import Row, cases_of, check
from judge.texts import Text
from judge.verdict import Status

FORMAT = Text(
    "json: an array of rows on standard output (default: text)",
    "json：在标准输出给出一个数组（默认 text）",
)
CHECKING = Text("checking", "检查中")
BROKEN = Text("The exercises cannot be loaded:", "无法读取练习目录：")
SUMMARY = Text("{good} of {total} as declared.", "{total} 项检查，{good} 项符合声明。")
PROBLEM = Text("problem", "有问题")
MUTANTS = Text(
    "instead: how many small changes of each reference solution do the hidden tests catch? all, or "
    "N of each exercise",
    "改为检查：隐藏测试能捕获参考答案的多少处微小改动？全部（all），或每个练习 N 处",
)
NO_PAGE = Text(
    "leave out the page's Python (under Node), where the example tests must say what the judge says",
    "不在页面的 Python 中运行（通过 Node）；否则示例测试在那里的结果必须与评测程序一致",
)
NO_MUTANTS = 0
FINE, FAILED = 0, 1


@click.command("check", cls=Command, words=COMMANDS["check"])
@click.argument("target", required=False)
@click.option(
    "--format",
    "form",
    cls=Option,
    words=FORMAT,
    type=click.Choice(["text", "json"]),
    default="text",
)
@click.option(
    "--mutants",
    "mutants",
    cls=Option,
    words=MUTANTS,
    type=proof.Amount(),
    is_flag=False,
    flag_value="all",
    default=NO_MUTANTS,
)
@click.option("--no-page", "judge_only", cls=Option, words=NO_PAGE, is_flag=True)
@tier_option
@click.pass_obj
def command(
    session: Session,
    target: str | None,
    form: str,
    mutants: int | None,
    judge_only: bool,
    require_tier: int,
) -> int:
    try:
        exercises = session.select(target)
    except CatalogError as error:
        return _catalog_is_broken(session, error, form)
    if mutants != NO_MUTANTS:
        scores, good = proof.run(session, exercises, mutants, require_tier, quiet=form == "json")
        if form == "json":
            session.write(_json(map(proof.as_value, scores)))
        return FINE if good else FAILED
    table = _Table(session, form)
    cases = [case for exercise in exercises for case in cases_of(exercise)]
    table.measure([(case.exercise.id, case.kind, case.name) for case in cases])
    with (
        node_page(session, wanted=not judge_only) as page,
        WarmJudge(require_tier=require_tier) as warm,
        Bar(session.err, len(cases), CHECKING[session.language]) as bar,
    ):

        def on_row(row: Row) -> None:
            with bar.hidden():
                table.add(row)

        # It grades as a judge does, and can be stopped.
        rows = warm.wait_for(
            lambda: check(warm, exercises, page=page, on_row=on_row, on_done=bar.step)
        )
    good = sum(not row.problems for row in rows)
    if form == "json":
        session.write(_json(map(_as_value, rows)))
    else:
        Page(session.out, session.language).prose(
            SUMMARY[session.language].format(good=good, total=len(rows))
        )
    return FINE if good == len(rows) else FAILED


class _Table:
    """The rows as they come. Its columns are as wide as the cases need, which is known before."""

    def __init__(self, session: Session, form: str) -> None:
        self._session = session
        # With JSON on standard output, only what is wrong is told, on standard error.
        self._all = form == "text"
        self._page = Page(session.out if self._all else session.err, session.language)
        self._widths = [0, 0, 0]

    def measure(self, cases: list[tuple[str, str, str]]) -> None:
        self._widths = [max(map(len, column)) for column in zip(*cases, strict=True)] or [0, 0, 0]

    def add(self, row: Row) -> None:
        case, page = row.case, self._page
        status = Status.FAIL if row.problems else Status.PASS
        style = words.STYLES[status]
        if self._all or row.problems:
            ids = (case.exercise.id, case.kind, case.name)
            columns = "  ".join(
                f"{text:{width}}" for text, width in zip(ids, self._widths, strict=True)
            )
            word = page[PROBLEM if row.problems else words.OK]
            page.row(
                (f"{words.symbol(page.console, status)} ", style),
                (f"{columns}  {row.milliseconds:6.0f} ms  ", ""),
                (word, style),
            )
        for problem in row.problems:
            page.prose(problem, indent=6)
            if annotations.wanted():
                file = os.path.relpath(case.path, self._session.root)
                self._session.annotate(
                    annotations.error(file, 1, f"{case.kind} {case.name}: {problem}")
                )


def _catalog_is_broken(session: Session, error: CatalogError, form: str) -> int:
    session.note(BROKEN)
    for complaint in error.complaints:
        session.note(Text(str(complaint), str(complaint)))
        if annotations.wanted():
            key = f"{complaint.key}: " if complaint.key else ""
            message = f"{key}{complaint.problem} — {complaint.mend}"
            session.annotate(annotations.error(complaint.file, complaint.line or 1, message))
    if form == "json":
        session.write(
            _json(
                {
                    "exercise": complaint.file,
                    "kind": "catalog",
                    "name": complaint.key,
                    "ok": False,
                    "problems": [f"{complaint.problem} — {complaint.mend}"],
                    "duration_ms": 0.0,
                }
                for complaint in error.complaints
            )
        )
    return FAILED


def _json(rows: Iterable[dict[str, object]]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(list(rows)), indent=2) + b"\n"


def _as_value(row: Row) -> dict[str, object]:
    return {
        "exercise": row.case.exercise.id,
        "kind": row.case.kind,
        "name": row.case.name,
        "ok": not row.problems,
        "problems": list(row.problems),
        "duration_ms": row.milliseconds,
    }
