"""`judge.py start TARGET`: copy the stubs and show the task."""

from __future__ import annotations

import click

from judge.catalog import Exercise
from judge.cli import files
from judge.cli.names import COMMANDS, PROGRAM
from judge.cli.page import Page
from judge.cli.parsing import Command, Option
from judge.cli.session import Refusal, Session
from judge.texts import Text

PRINT = Text("show the whole statement", "显示完整的题目")
NEW = Text("{path} is new: write your code there.", "已创建 {path}，请在里面写代码。")
THERE = Text("{path} is there already and stays as it is.", "{path} 已经存在，保持不变。")
WHOLE = Text(
    "The whole statement: {program} start {id} --print, or {path}",
    "完整的题目：{program} start {id} --print，或打开 {path}",
)
THEN = Text("Then: {program} {target}", "写好后运行：{program} {target}")
FIRST_LINES = 8


@click.command("start", cls=Command, words=COMMANDS["start"])
@click.argument("target")
@click.option("--print", "whole", cls=Option, words=PRINT, is_flag=True)
@click.pass_obj
def command(session: Session, target: str, whole: bool) -> int:
    exercises = session.select(target)
    page = Page(session.out, session.language)
    single = session.is_exercise(target)
    code = 0
    for exercise in exercises:
        if single:
            page.row((f"{exercise.id}  {page[exercise.title]}", "bold"))
            page.blank()
            _statement(page, exercise, whole)
            page.blank()
        try:
            text = NEW if files.provide(session, exercise) else THERE
        except Refusal as refusal:
            session.note(refusal.text)
            code = refusal.code
            continue
        page.prose(page[text].format(path=session.show(files.path_of(session, exercise))))
        if not (single and whole):
            statement = session.show(exercise.folder / f"statement.{session.language}.md")
            page.prose(
                page[WHOLE].format(program=PROGRAM, id=exercise.id, path=statement), style="dim"
            )
    page.prose(page[THEN].format(program=PROGRAM, target=session.as_target(target)))
    return code


def _statement(page: Page, exercise: Exercise, whole: bool) -> None:
    """All of it, rendered on a terminal and as it stands elsewhere; else its first lines."""
    text = page[exercise.statement]
    if not whole:
        page.block(text, 0, FIRST_LINES)
    elif page.console.is_terminal:
        from rich.markdown import Markdown

        page.console.print(Markdown(text))
    else:
        page.block(text, 0, len(text), len(text))
