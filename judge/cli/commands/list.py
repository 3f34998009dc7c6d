"""`judge.py list`: the chapters and exercises, and how far the learner is."""

from __future__ import annotations

import click
from rich.cells import cell_len, set_cell_size

from judge.catalog import Chapter, Exercise
from judge.cli import files, words
from judge.cli.consoles import is_unicode
from judge.cli.names import COMMANDS
from judge.cli.page import Page
from judge.cli.parsing import Command
from judge.cli.session import Session
from judge.cli.state import Record
from judge.texts import Text
from judge.verdict import Outcome, Status

PROGRESS = Text("{passed} of {count} passed", "通过 {passed}/{count}")
STARTED = Text("started", "已开始")
PASSED = Text("passed", "已通过")
PASSED_BEFORE = Text("passed before; now {now}", "曾经通过；现在：{now}")
STUB_AGAIN = Text("passed before; the file is the stub again", "曾经通过；文件又是起始代码")
MAX_DIFFICULTY = 5


@click.command("list", cls=Command, words=COMMANDS["list"])
@click.pass_obj
def command(session: Session) -> int:
    page = Page(session.out, session.language)
    exercises = session.catalog.select()
    wide = max((len(exercise.id) for exercise in exercises), default=0)
    title = max((cell_len(page[exercise.title]) for exercise in exercises), default=0)
    for number, chapter in enumerate(session.catalog.chapters):
        if number:
            page.blank()
        page.row((f"{chapter.name}  {page[chapter.title]}  ", "bold"), *_progress(session, chapter))
        for exercise in chapter.exercises:
            status, state = _state(session, exercise)
            style = words.STYLES[status] if status else ""
            page.row(
                (f"  {words.symbol(session.out, status)} ", style),
                (f"{exercise.id:{wide}}  {set_cell_size(page[exercise.title], title)}  ", ""),
                (f"{_difficulty(session, exercise)}  ", "dim"),
                (page[state], style),
            )
    return 0


def _progress(session: Session, chapter: Chapter) -> list[tuple[str, str]]:
    """A bar and a count of what has once passed."""
    count = len(chapter.exercises)
    passed = sum(session.state.record(each.id).passed for each in chapter.exercises)
    full, empty = "█░" if is_unicode(session.out) else "#-"
    text = PROGRESS[session.language].format(passed=passed, count=count)
    return [(full * passed, "green"), (empty * (count - passed), "dim"), (f"  {text}", "")]


def _difficulty(session: Session, exercise: Exercise) -> str:
    full, empty = "★☆" if is_unicode(session.out) else "*."
    return full * exercise.difficulty + empty * (MAX_DIFFICULTY - exercise.difficulty)


def _state(session: Session, exercise: Exercise) -> tuple[Status | None, Text]:
    record = session.state.record(exercise.id)
    if files.is_untouched(session, exercise):
        status, now = None, words.NOT_STARTED
    elif record.verdict is None:
        status, now = None, STARTED
    elif record.verdict is Outcome.PASSED:
        # The example tests alone may have passed.
        return (Status.PASS, PASSED) if record.passed else (None, _count(STARTED, record))
    else:
        status, now = record.verdict.status, _count(words.OUTCOMES[record.verdict], record)
    if record.passed and status is None and now is words.NOT_STARTED:
        now = STUB_AGAIN
    elif record.passed:
        now = Text(*(PASSED_BEFORE[n].format(now=now[n]) for n in ("en", "zh")))
    return status, now


def _count(text: Text, record: Record) -> Text:
    if not record.tests:
        return text
    count = f" {record.passed_tests}/{record.tests}"
    return Text(text.en + count, text.zh + count)
