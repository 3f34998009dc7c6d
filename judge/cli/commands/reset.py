"""`judge.py reset TARGET`: begin again from the stub; what the learner wrote stays beside it."""

from __future__ import annotations

import os

import click

from judge.cli import files
from judge.cli.names import COMMANDS
from judge.cli.parsing import Command, Option
from judge.cli.session import Refusal, Session
from judge.texts import Text

YES = Text("do not ask", "不再询问")
QUESTION = Text(
    "Put the stub in place of {path}? Your file is kept beside it.",
    "要用起始代码替换 {path} 吗？你的文件会留在旁边。",
)
REFUSED = Text(
    "{path} is to be replaced, and nobody can be asked here: add --yes.",
    "将要替换 {path}，而这里无法询问你：请加上 --yes。",
)
KEPT = Text("Your file is now {path}", "你的文件现在是 {path}")
NEW = Text("{path} is the stub again.", "{path} 已恢复为起始代码。")
NOTHING = Text("{path} is the stub as it was; nothing to do.", "{path} 就是起始代码，不需要重置。")
FAILED = Text("{path} cannot be replaced: {why}.", "无法替换 {path}：{why}。")


@click.command("reset", cls=Command, words=COMMANDS["reset"])
@click.argument("target")
@click.option("--yes", cls=Option, words=YES, is_flag=True)
@click.pass_obj
def command(session: Session, target: str, yes: bool) -> int:
    exercise = session.exercise(target)
    path = files.path_of(session, exercise)
    shown = session.show(path)
    replaces = os.path.islink(path) or path.is_file()
    if replaces and files.is_untouched(session, exercise) and path.is_file():
        session.say(NOTHING.format(path=shown))
        return 0
    if replaces and not yes:
        if not session.can_ask:
            raise Refusal(REFUSED.format(path=shown))
        if not session.ask(QUESTION.format(path=shown)):
            return 0
    if replaces:
        try:
            backup = files.back_up(path)
        except OSError as error:
            raise Refusal(FAILED.format(path=shown, why=error.strerror), 1) from error
        session.say(KEPT.format(path=session.show(backup)))
    files.provide(session, exercise)
    # The last verdict was on the other file. That it was passed once stays true.
    session.state.change(exercise.id, verdict=None, passed_tests=0, tests=0)
    session.say(NEW.format(path=shown))
    return 0
