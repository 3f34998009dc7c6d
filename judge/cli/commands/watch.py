"""`judge.py watch TARGET`: judge at once, and again whenever a file is saved, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from judge.catalog import Exercise
from judge.cli import files, run
from judge.cli.grading import Submission, submission
from judge.cli.interrupts import STOPPED
from judge.cli.next_step import next_step
from judge.cli.page import Page
from judge.cli.parsing import Command, Option, tier_option
from judge.cli.report import Report
from judge.cli.session import Session
from judge.cli.warm import WarmJudge
from judge.grade import SUITES, Suite
from judge.texts import Text

WORDS = Text(
    "Judge your files now, and again whenever you save one. Ctrl-C ends this, with exit code 0.",
    "现在评测一次，之后每次保存都重新评测。按 Ctrl-C 结束，退出码为 0。",
)
SUITE = Text("which tests (default: all)", "运行哪些测试（默认 all）")
WAITING = Text("Waiting until you save; Ctrl-C ends this.", "等待你保存文件；按 Ctrl-C 结束。")

POLL_SECONDS = 0.3
SETTLE_SECONDS = 0.05
GONE_SECONDS = 1.5


@click.command("watch", cls=Command, words=WORDS)
@click.argument("target")
@click.option("--suite", cls=Option, words=SUITE, type=click.Choice(SUITES), default="all")
@tier_option
@click.pass_obj
def command(session: Session, target: str, suite: Suite, require_tier: int) -> int:
    """Ctrl-C is the way to end this, so it ends with 0."""
    exercises = session.select(target)
    try:
        with WarmJudge(require_tier=require_tier) as warm:
            changed = [submission(session, exercise) for exercise in exercises]
            files.note_strays(session, exercises)
            seen = {each.exercise.id: each for each in changed}
            while True:
                _judge(session, warm, changed, suite)
                changed = _wait(session, exercises, seen)
                seen |= {each.exercise.id: each for each in changed}
                if session.out.is_terminal:
                    session.out.clear()
    except KeyboardInterrupt:
        session.note(STOPPED)
        return 0


def _judge(
    session: Session, warm: WarmJudge, submissions: Sequence[Submission], suite: Suite
) -> None:
    report = Report(Page(session.out, session.language), submissions)
    graded = run.judge(session, warm, submissions, suite, None, report, keep=True)
    report.details(graded)
    report.closing(graded, next_step(session, graded, suite, own=True))
    session.out.file.flush()
    session.note(WAITING)


def _wait(
    session: Session, exercises: Sequence[Exercise], seen: dict[str, Submission]
) -> list[Submission]:
    """The submissions that differ from those `seen`, as soon as there are any."""
    while True:
        time.sleep(POLL_SECONDS)
        found = [_settled(session, exercise, seen[exercise.id]) for exercise in exercises]
        changed = [each for each in found if each != seen[each.exercise.id]]
        if changed:
            return changed


def _settled(session: Session, exercise: Exercise, before: Submission) -> Submission:
    """The file as it is once nobody is writing it: editors empty or remove it for a moment.

    Its content is compared, not only its time and size: both can be the same after a quick change.
    """
    now = submission(session, exercise, copy=False)
    deadline = time.monotonic() + GONE_SECONDS
    while now != before and time.monotonic() < deadline:
        time.sleep(SETTLE_SECONDS)
        last, now = now, submission(session, exercise, copy=False)
        if now == last and now.source:
            break
    return now
