"""`judge.py start TARGET`: copy the stubs and show the task."""

from __future__ import annotations

import click

from judge.cli import files, statement
from judge.cli.names import COMMANDS, PROGRAM
from judge.cli.page import Page
from judge.cli.parsing import Command, Option
from judge.cli.session import Refusal, Session
from judge.texts import Text

PRINT = Text("show the whole statement", "显示完整的题目")
NEW = Text("{path} is new: write your code there.", "已创建 {path}，请在里面写代码。")
THERE = Text("{path} is there already and stays as it is.", "{path} 已经存在，保持不变。")
WHOLE = Text(
    "The whole task: {program} start {id} --print\nIt is also in the file {path}",
    "完整的题目：{program} start {id} --print\n也可以直接打开文件 {path}",
)
THEN = Text("Then: {program} {target}", "写好后运行：{program} {target}")


@click.command("start", cls=Command, words=COMMANDS["start"])
@click.argument("target")
@click.option("--print", "whole", cls=Option, words=PRINT, is_flag=True)
@click.pass_obj
def command(session: Session, target: str, whole: bool) -> int:
    return present(session, target, whole)


def present(session: Session, target: str, whole: bool) -> int:
    """Provide the stubs of a target that are missing; for a single exercise, show its task too."""
    exercises = session.select(target)
    page = Page(session.out, session.language)
    single = session.is_exercise(target)
    code = 0
    for exercise in exercises:
        if single:
            page.row((f"{exercise.id}  {page[exercise.title]}", "bold"))
            page.blank()
            show = statement.show if whole else statement.show_beginning
            show(page, page[exercise.statement])
            page.blank()
        try:
            text = NEW if files.provide(session, exercise) else THERE
        except Refusal as refusal:
            session.note(refusal.text)
            code = refusal.code
            continue
        page.prose(page[text].format(path=session.show(files.path_of(session, exercise))))
        if not (single and whole):
            path = session.show(exercise.folder / f"statement.{session.language}.md")
            page.row((page[WHOLE].format(program=PROGRAM, id=exercise.id, path=path), ""))
    page.row((page[THEN].format(program=PROGRAM, target=session.as_target(target)), ""))
    return code

