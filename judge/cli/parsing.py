"""click in two languages: commands and options whose help is a `Text`; wrong usage explained."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import click

from judge.cli.names import COMMANDS, NAME, PROGRAM, load
from judge.texts import Text

USAGE = Text("Usage: ", "用法：")
OPTIONS = Text("Options:", "选项：")
HELP = Text("show this text", "显示这段说明")
LANG = Text(
    "the language, anywhere in the line (default: from the locale)",
    "显示的语言，可写在任何位置（默认按系统的语言设置）",
)
TIER = Text(
    "refuse to judge with weaker walls than tier N, from 1 (strongest) to 4; judge.py doctor says "
    "which tier this machine gives",
    "隔离弱于第 N 级就拒绝评测；1 最强，4 最弱，judge.py doctor 会显示这台机器是第几级",
)
EXIT_CODES = Text(
    "0 all passed, 1 something failed, 2 wrong usage, 3 the judge's own fault, 130 after Ctrl-C",
    "0 全部通过，1 有未通过的，2 用法不对，3 评测程序自己出错，130 按 Ctrl-C 中止",
)


class Option(click.Option):
    """An option whose help is a `Text`."""

    def __init__(self, *args: Any, words: Text, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.words = words

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        choices = getattr(self.type, "choices", ())
        value = "" if self.is_flag else self.metavar or f"[{'|'.join(choices)}]"
        return f"{self.opts[0]} {value}".rstrip(), self.words[ctx.obj.language]


def tier_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--require-tier N`, for every command that judges."""
    option = click.option(
        "--require-tier", cls=Option, words=TIER, type=click.IntRange(1, 4), default=4, metavar="N"
    )
    return option(command)


class Command(click.Command):
    """A command whose help is a `Text`."""

    def __init__(self, *args: Any, words: Text, **attributes: Any) -> None:
        attributes["context_settings"] = {"help_option_names": ["-h", "--help"]}
        super().__init__(*args, **attributes)
        self.words = words

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        language = ctx.obj.language
        options, *arguments = self.collect_usage_pieces(ctx)
        pieces = " ".join([*arguments, options])
        formatter.write_usage(ctx.command_path, pieces, prefix=USAGE[language])
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.words[language])
        with _section(formatter, OPTIONS[language]):
            formatter.write_dl(option_rows(self, ctx))


@contextlib.contextmanager
def _section(formatter: click.HelpFormatter, heading: str) -> Iterator[None]:
    formatter.write_paragraph()
    formatter.write(f"{heading}\n")
    with formatter.indentation():
        yield


def option_rows(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    language = ctx.obj.language
    records = (p.get_help_record(ctx) for p in command.params if isinstance(p, Option))
    general = [("--lang [en|zh]", LANG[language]), ("-h, --help", HELP[language])]
    return [*records, *general]


def overview(session: Any) -> str:
    """The help of the whole program: judging, the other commands, the exit codes."""
    language = session.language
    judge = load("judge")
    formatter = click.HelpFormatter(max_width=min(session.out.width, 100))
    formatter.write_usage(NAME, "TARGET [OPTIONS]", prefix=USAGE[language])
    formatter.write_usage(NAME, "COMMAND …", prefix=" " * len(USAGE["en"]))
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(judge.words[language])
    with _section(formatter, Text("Options of judging:", "评测的选项：")[language]):
        formatter.write_dl(option_rows(judge, click.Context(judge, obj=session)))
    with _section(formatter, Text("Commands:", "命令：")[language]):
        formatter.write_dl([(n, text[language]) for n, text in COMMANDS.items() if n != "judge"])
    with _section(formatter, Text("Exit codes:", "退出码：")[language]):
        formatter.write_text(EXIT_CODES[language])
    return formatter.getvalue()


def usage_problem(error: click.UsageError) -> Text:
    """What is wrong with the words typed, and where to read what is right."""
    text = _problem(error)
    path = PROGRAM + (error.ctx.command_path.removeprefix(NAME) if error.ctx else "")
    return Text(f"{text.en}\nSee: {path} --help", f"{text.zh}\n说明见：{path} --help")


def _problem(error: click.UsageError) -> Text:
    name = ""
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = error.param.human_readable_name
        name = error.param.opts[0] if isinstance(error.param, click.Option) else name
    if isinstance(error, click.NoSuchOption):
        close = ", ".join(error.possibilities or ())
        hint = Text(f" Did you mean {close}?", f"是不是要用 {close}？") if close else Text("", "")
        option = error.option_name
        return Text(f"There is no option {option}.{hint.en}", f"没有选项 {option}。{hint.zh}")
    if isinstance(error, click.MissingParameter):
        return Text(f"{name} is missing.", f"缺少 {name}。")
    if isinstance(error, click.BadOptionUsage) and "not take a value" in error.message:
        option = error.option_name
        return Text(f"{option} takes no value.", f"{option} 后面不能有值。")
    if isinstance(error, click.BadOptionUsage):
        return Text(
            f"{error.option_name}: a value is missing.", f"{error.option_name} 后面缺少值。"
        )
    if isinstance(error, click.BadParameter):
        choices = getattr(getattr(error.param, "type", None), "choices", None)
        if choices:
            known = ", ".join(choices)
            return Text(f"{name} must be one of: {known}.", f"{name} 只能是：{known}。")
        kind = getattr(error.param, "type", None)
        if isinstance(kind, click.IntRange):
            low, high = kind.min, kind.max
            return Text(
                f"{name} must be a whole number from {low} to {high}.",
                f"{name} 只能是 {low} 到 {high} 的整数。",
            )
        return Text(f"{name}: {error.message}", f"{name} 的值不对：{error.message}")
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", error.message, re.DOTALL)
    if extra:
        return Text(f"Too many words: {extra[1]}", f"多余的参数：{extra[1]}")
    return Text(error.format_message(), f"用法不对：{error.format_message()}")
