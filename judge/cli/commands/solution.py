"""`judge.py solution TARGET`: the reference solution, for who has passed or really wants it."""

from __future__ import annotations

import click

from judge.cli.names import COMMANDS
from judge.cli.parsing import Command, Option
from judge.cli.session import Refusal, Session
from judge.texts import Text

YES = Text("do not ask", "不再询问")
QUESTION = Text(
    "You have not passed {id} yet. Show the solution all the same?",
    "你还没有通过 {id}。仍然要看参考答案吗？",
)
REFUSED = Text(
    "You have not passed {id} yet, and nobody can be asked here: add --yes.",
    "你还没有通过 {id}，而这里无法询问你：请加上 --yes。",
)


@click.command("solution", cls=Command, words=COMMANDS["solution"])
@click.argument("target")
@click.option("--yes", cls=Option, words=YES, is_flag=True)
@click.pass_obj
def command(session: Session, target: str, yes: bool) -> int:
    exercise = session.exercise(target)
    if not yes and not session.state.record(exercise.id).passed:
        if not session.can_ask:
            raise Refusal(REFUSED.format(id=exercise.id))
        if not session.ask(QUESTION.format(id=exercise.id)):
            return 0
    if session.out.color_system is None:
        session.write(exercise.solution.encode())
        return 0
    from rich.syntax import Syntax

    session.out.print(
        Syntax(exercise.solution, "python", theme="ansi_dark", background_color="default")
    )
    return 0
