"""The words and signs that several reports share."""

from __future__ import annotations

from rich.console import Console

from judge.cli.consoles import is_unicode
from judge.texts import Text
from judge.verdict import Outcome, Status, Visibility

OUTCOMES = {
    Outcome.PASSED: Text("passed", "通过"),
    Outcome.WRONG: Text("wrong", "结果不对"),
    Outcome.ERROR: Text("error", "出错"),
    Outcome.TIMEOUT: Text("timeout", "超时"),
    Outcome.CRASHED: Text("crashed", "崩溃"),
    Outcome.OUTPUT: Text("too much output", "输出过多"),
    Outcome.MEMORY: Text("out of memory", "内存不足"),
    Outcome.FORBIDDEN: Text("forbidden", "不允许"),
    Outcome.INTERNAL: Text("the judge failed", "评测程序出错"),
}
VISIBILITIES = {
    Visibility.EXAMPLE: Text("[example]", "[示例]"),
    Visibility.HIDDEN: Text("[hidden]", "[隐藏]"),
}
OK = Text("ok", "正常")
NOT_STARTED = Text("not started yet", "还没开始")

STYLES = {Status.PASS: "green", Status.FAIL: "red", Status.ERROR: "yellow"}
_SYMBOLS = {
    Status.PASS: ("✓", "+"),
    Status.FAIL: ("✗", "x"),
    Status.ERROR: ("!", "!"),
    None: ("·", "-"),
}


def symbol(console: Console, status: Status | None) -> str:
    """The sign for a status; None is something not yet begun."""
    return _SYMBOLS[status][0 if is_unicode(console) else 1]


def seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s"
