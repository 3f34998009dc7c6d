"""`judge.py next`: go on where you stopped."""

from __future__ import annotations

import click

from judge.cli.commands import start
from judge.cli.names import COMMANDS
from judge.cli.next_step import DONE, where_stopped
from judge.cli.page import Page
from judge.cli.parsing import Command, Option
from judge.cli.session import Session


@click.command("next", cls=Command, words=COMMANDS["next"])
@click.option("--print", "whole", cls=Option, words=start.PRINT, is_flag=True)
@click.pass_obj
def command(session: Session, whole: bool) -> int:
    exercise = where_stopped(session)
    if exercise is None:
        page = Page(session.out, session.language)
        page.row((page[DONE], ""))
        return 0
    return start.present(session, exercise.id, whole)
