"""`judge.py TARGET`: judge a learner's files and report."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from judge.cli import files
from judge.cli.bar import Bar
from judge.cli.bench import Bench
from judge.cli.consoles import text_console
from judge.cli.grading import Submission, grade_all, submission
from judge.cli.next_step import next_step
from judge.cli.page import Page
from judge.cli.parsing import Command, Option
from judge.cli.report import Report
from judge.cli.session import Refusal, Session
from judge.cli.writing import write_atomically
from judge.grade import SUITES, Suite
from judge.grade.suites import tests_of
from judge.texts import Text
from judge.verdict import Outcome, TestResult, Verdict, to_json

WORDS = Text(
    "Judge your file for an exercise (ch12/nd-tensor) or those of a whole chapter (ch12). They are "
    "in practice/, as practice/ch12/nd-tensor.py; a file that is missing is copied from the stub.",
    "评测你为一个练习（ch12/nd-tensor）或一整章（ch12）写的文件。文件在 practice/ 里，例如 "
    "practice/ch12/nd-tensor.py；还没有的文件会先从起始代码复制过来。",
)
FILE = Text("judge this file instead; with a single exercise only", "改为评测这个文件，只能用于单个练习")
SUITE = Text("which tests (default: all)", "运行哪些测试（默认全部）")
FORMAT = Text(
    "json: a verdict for an exercise, an array of verdicts for a chapter; standard output then "
    "holds nothing else",
    "json：练习输出一个 verdict，整章输出 verdict 的数组；此时标准输出只有 JSON",
)
OUTPUT = Text("write the report to this file", "把报告写到这个文件")
SEED = Text("repeat a grading with the same inputs", "用同样的输入重做一次评测")
JUDGING = Text("judging", "评测中")
NO_EXERCISE = Text("{target} has no exercise yet.", "{target} 还没有练习。")
UNVERIFIED = Text(
    "Your code runs without walls around it here; see judge.py doctor.",
    "在这台机器上，你的代码运行时没有隔离；详见 judge.py doctor。",
)


@click.command("judge", cls=Command, words=WORDS)
@click.argument("target")
@click.option("--file", cls=Option, words=FILE, type=click.Path(path_type=Path), metavar="FILE")
@click.option("--suite", cls=Option, words=SUITE, type=click.Choice(SUITES), default="all")
@click.option("--format", "form", cls=Option, words=FORMAT, type=click.Choice(["text", "json", "junit"]), default="text")
@click.option("--output", cls=Option, words=OUTPUT, type=click.Path(path_type=Path), metavar="FILE")
@click.option("--seed", cls=Option, words=SEED, type=click.IntRange(0, 2**63 - 1), metavar="N")
@click.pass_obj
def command(
    session: Session,
    target: str,
    file: Path | None,
    suite: Suite,
    form: str,
    output: Path | None,
    seed: int | None,
) -> int:
    session.check_target(target)
    exercises = (session.exercise(target),) if file else session.select(target)
    single = len(exercises) == 1 and target_is_exercise(session, target)
    if not exercises:
        raise Refusal(NO_EXERCISE.format(target=target))
    if output is not None:
        refuse_output(session, output)
    submissions = [submission(session, exercise, file) for exercise in exercises]
    if form == "text" and file is None:
        files.note_strays(session, exercises)
    # A report in text on standard output is its own summary; otherwise that goes to standard error.
    aside = form != "text" or output is not None
    page = Page(session.err if aside else session.out, session.language)
    with Bench() as bench:
        if bench.isolation == "unverified" and form == "text":
            session.note(UNVERIFIED)
        verdicts = judge_and_report(session, bench, submissions, suite, seed, page, file is None)
    graded = list(zip(submissions, verdicts, strict=True))
    advice = next_step(session, graded, suite, exercises[0].id if single else exercises[0].chapter, file is None)
    report = Report(page, submissions, suite)
    if not aside:
        report.details(graded)
    report.closing(graded, advice)
    if aside:
        data = as_bytes(session, form, submissions, verdicts, suite, advice, single)
        if output is None:
            session.write(data)
        else:
            write_output(session, output, data)
    return exit_code(verdicts)
