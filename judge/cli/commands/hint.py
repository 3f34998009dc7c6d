"""`judge.py hint TARGET`: one more hint each time."""

from __future__ import annotations

import click

from judge.cli.names import COMMANDS, PROGRAM
from judge.cli.page import Page
from judge.cli.parsing import Command
from judge.cli.session import Session
from judge.texts import Text

NUMBER = Text("Hint {number} of {total}", "提示 {number}/{total}")
NO_MORE = Text(
    "There are no more hints. The reference solution: {program} solution {id}",
    "没有更多提示了。参考答案：{program} solution {id}",
)
AGAIN = Text("Then judge again: {program} {id}", "改好后再评测：{program} {id}")
NOT_KEPT = Text(
    "Which hints you have seen cannot be kept here, so all are shown.",
    "这里无法记录你看过哪些提示，所以全部显示。",
)


@click.command("hint", cls=Command, words=COMMANDS["hint"])
@click.argument("target")
@click.pass_obj
def command(session: Session, target: str) -> int:
    exercise = session.exercise(target)
    page = Page(session.out, session.language)
    total = len(exercise.hints)
    seen = min(session.state.record(exercise.id).hints, total)
    shown = [seen] if seen < total else range(total)
    if seen < total and not session.state.change(exercise.id, hints=seen + 1):
        session.note(NOT_KEPT)
        shown = range(total)
    for number in shown:
        page.set_apart(
            page[exercise.hints[number]], page[NUMBER].format(number=number + 1, total=total), 0
        )
        page.blank()
    if seen == total:
        page.row((page[NO_MORE].format(program=PROGRAM, id=exercise.id), ""))
    else:
        page.row((page[AGAIN].format(program=PROGRAM, id=exercise.id), "dim"))
    return 0
