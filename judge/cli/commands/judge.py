"""`judge.py TARGET`: judge a learner's files and report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from judge.cli import files, run
from judge.cli.consoles import text_console
from judge.cli.grading import submission
from judge.cli.names import PROGRAM
from judge.cli.next_step import next_step
from judge.cli.page import Page
from judge.cli.parsing import Command, Option, tier_option
from judge.cli.report import Graded, Report
from judge.cli.session import Refusal, Session
from judge.cli.warm import WarmJudge
from judge.cli.writing import write_atomically
from judge.grade import SUITES, Suite
from judge.texts import Text
from judge.verdict import to_json

WORDS = Text(
    "Judge your file for an exercise (ch12/nd-tensor) or those of a whole chapter (ch12). They are "
    "in practice/, as practice/ch12/nd-tensor.py; a file that is missing is copied from the stub.",
    "评测你为一个练习（ch12/nd-tensor）或一整章（ch12）写的文件。文件在 practice/ 里，例如 "
    "practice/ch12/nd-tensor.py；还没有的文件会先从起始代码复制过来。",
)
FILE = Text(
    "judge this file instead; for a single exercise only", "改为评测这个文件；只能用于单个练习"
)
SUITE = Text("which tests (default: all)", "运行哪些测试（默认 all）")
FORMAT = Text(
    "json: one verdict for an exercise, an array of verdicts for a chapter. With json and junit, "
    "standard output holds nothing else (default: text)",
    "json：单个练习是一个 verdict 对象，整章是 verdict 的数组。json 和 junit 时标准输出没有别的内容"
    "（默认 text）",
)
OUTPUT = Text("write the report to this file", "把报告写到这个文件")
SEED = Text("repeat a grading with the same random inputs", "用同样的随机输入重做一次评测")

UNVERIFIED = Text(
    f"Your code runs without walls around it here; {PROGRAM} doctor says why.",
    f"在这台机器上，你的代码运行时没有隔离；{PROGRAM} doctor 会说明原因。",
)
NO_EXERCISE = Text("{target} has no exercises yet.", "{target} 还没有练习。")
NO_FILE = Text("--file: there is no file {path}.", "--file：没有文件 {path}。")
EMPTY_FILE = Text("--file: the name is empty.", "--file：文件名是空的。")
NO_PLACE = Text("--output: {path} cannot be written.", "--output：无法写入 {path}。")
NOT_WRITTEN = Text("{path} cannot be written: {why}.", "无法写入 {path}：{why}。")


@click.command("judge", cls=Command, words=WORDS)
@click.argument("target")
@click.option("--file", cls=Option, words=FILE, metavar="FILE")
@click.option("--suite", cls=Option, words=SUITE, type=click.Choice(SUITES), default="all")
@click.option(
    "--format", "form", cls=Option, words=FORMAT,
    type=click.Choice(["text", "json", "junit"]), default="text",
)  # fmt: skip
@click.option("--output", cls=Option, words=OUTPUT, type=click.Path(path_type=Path), metavar="FILE")
@click.option("--seed", cls=Option, words=SEED, type=click.IntRange(0, 2**63 - 1), metavar="N")
@tier_option
@click.pass_obj
def command(
    session: Session,
    target: str,
    file: str | None,
    suite: Suite,
    form: str,
    output: Path | None,
    seed: int | None,
    require_tier: int,
) -> int:
    exercises = (session.exercise(target),) if file is not None else session.select(target)
    if not exercises:
        raise Refusal(NO_EXERCISE.format(target=target))
    if file is not None:
        _refuse_no_file(file)
    if output is not None:
        _refuse_bad_place(output)
    other = None if file is None else Path(file)
    submissions = [submission(session, exercise, other) for exercise in exercises]
    if form == "text" and file is None:
        files.note_strays(session, exercises)
    # The report in text on standard output is its own summary; else that goes to standard error.
    aside = form != "text" or output is not None
    page = Page(session.err if aside else session.out, session.language)
    report = Report(page, submissions)
    needed = any(each.source is not None for each in submissions)
    with WarmJudge(needed=needed, require_tier=require_tier) as warm:
        graded = run.judge(session, warm, submissions, suite, seed, report, keep=file is None)
    if form == "text" and any("unverified" in verdict.isolation for _, verdict in graded):
        session.note(UNVERIFIED)
    advice = next_step(session, graded, suite, own=file is None)
    if not aside:
        report.details(graded)
    elif output is None:
        session.write(_as_bytes(session, form, graded, advice, session.is_exercise(target)))
    else:
        data = _as_bytes(session, form, graded, advice, session.is_exercise(target))
        _write(session, output, data)
    report.closing(graded, advice)
    return run.exit_code(graded)


def _as_bytes(
    session: Session, form: str, graded: Sequence[Graded], advice: Text, single: bool
) -> bytes:
    verdicts = [verdict for _, verdict in graded]
    if form == "json":
        return to_json(verdicts[0] if single else verdicts)
    if form == "junit":
        from judge.junit import to_junit

        return to_junit(verdicts, session.language)
    console = text_console()
    report = Report(Page(console, session.language), [each for each, _ in graded])
    for each in graded:
        report.line(*each)
    report.details(graded)
    report.closing(graded, advice)
    return console.file.getvalue().encode("utf-8", "backslashreplace")


def _refuse_no_file(name: str) -> None:
    """A name that leads nowhere is wrong usage; a folder, say, gets a verdict."""
    try:
        os.stat(name)
    except (FileNotFoundError, NotADirectoryError):
        raise Refusal(NO_FILE.format(path=name) if name else EMPTY_FILE) from None
    except (OSError, ValueError):
        pass


def _refuse_bad_place(path: Path) -> None:
    """Wrong usage is told before the judging, not after it."""
    there = path if path.exists() else path.absolute().parent
    if path.is_dir() or not os.access(there, os.W_OK):
        raise Refusal(NO_PLACE.format(path=path))


def _write(session: Session, path: Path, data: bytes) -> None:
    try:
        write_atomically(path, data)
    except OSError as error:
        raise Refusal(
            NOT_WRITTEN.format(path=path, why=error.strerror), run.JUDGE_FAILED
        ) from error
