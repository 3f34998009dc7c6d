"""What can go wrong on the learner's side, as exceptions that carry words for the learner."""

from __future__ import annotations

import asyncio
import builtins
import re
import signal
from typing import Any

import msgpack
import zmq

from judge.texts import Text
from judge.verdict import Outcome, SourceLine

MAX_TEXT = 2000
MAX_ITEMS = 20
MAX_LINE = 10**6

# Names that a learner has not made up: they say nothing of what a hidden test hands over.
KNOWN_EXCEPTIONS = frozenset(
    name
    for module in (builtins, asyncio, msgpack, msgpack.exceptions, zmq)
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
OUT_OF_MEMORY = Text("Your code ran out of memory.", "你的代码用完了内存。")


class LearnerProblem(Exception):
    """The learner's code did not give a value. `line` is where it stood, if that is known.

    `sealed` takes the text's place in a hidden test: what the learner's code says of itself there could
    be the test's inputs, which it sees and its author must not read.
    """

    def __init__(
        self,
        outcome: Outcome,
        text: Text,
        line: SourceLine | None = None,
        *,
        sealed: Text | None = None,
    ) -> None:
        super().__init__(text.en)
        self.outcome, self.text, self.line, self.sealed = outcome, text, line, sealed


class LearnerRaised(LearnerProblem):
    """The learner's code raised. `bases` are the class names of the exception's bases, itself first.

    `said` is what the exception says of itself in both languages, if it does; a learner's may, too.
    """

    def __init__(self, described: dict[str, Any], learner_file: str) -> None:
        self.type_name = _text(described.get("type"), "Exception")
        self.bases = [_text(b) for b in _items(described.get("bases"))]
        self.message = _text(described.get("text"))
        said = _items(described.get("said"))
        self.said = Text(_text(said[0]), _text(said[1])) if len(said) == 2 else None
        line = last_line(described.get("frames"), learner_file)
        outcome = Outcome.MEMORY if "MemoryError" in self.bases else Outcome.ERROR
        what = f"{self.type_name}: {self.message}" if self.message else self.type_name
        text = Text(f"Your code raised {what}", f"你的代码抛出了 {what}")
        if outcome is Outcome.MEMORY:
            text = OUT_OF_MEMORY
        elif "PermissionError" in self.bases:
            outcome = Outcome.FORBIDDEN
            text = Text(
                f"Your code tried something that the judge does not allow: {self.message}",
                f"你的代码尝试了评测程序不允许的操作：{self.message}",
            )
        elif "SystemExit" in self.bases:
            text = Text(
                "Your code tried to exit (SystemExit).", "你的代码试图退出程序（SystemExit）。"
            )
        elif "Skipped" in self.bases:
            text = Text(
                "Your code tried to skip the test. A skipped test is not passed.",
                "你的代码试图跳过测试。跳过不算通过。",
            )
        self.kind = next((b for b in self.bases if b in KNOWN_EXCEPTIONS), "Exception")
        sealed = Text(f"Your code raised {self.kind}.", f"你的代码抛出了 {self.kind}。")
        if outcome is Outcome.FORBIDDEN:
            sealed = Text(
                "Your code tried something that the judge does not allow.",
                "你的代码尝试了评测程序不允许的操作。",
            )
        syntax = described.get("syntax")
        if isinstance(syntax, list) and len(syntax) == 5:
            text, line = _syntax(syntax, learner_file, text)
        super().__init__(outcome, text, line, sealed=sealed)


def _syntax(syntax: list[Any], learner_file: str, other: Text) -> tuple[Text, SourceLine | None]:
    file, number, offset, source, message = syntax
    if file != learner_file or not _is_line(number) or type(offset) is not int:
        return other, None
    shown = _text(source).rstrip()
    caret = " " * max(0, min(offset, len(shown) + 1) - 1) + "^"
    # The caret stands under the source as it is, so tabs must stay tabs.
    caret = "".join(
        "\t" if c == "\t" else d for c, d in zip(shown.ljust(len(caret)), caret, strict=False)
    )
    where = f"\n{shown}\n{caret}" if shown else ""
    text = Text(
        f"Syntax error in line {number}: {_text(message)}{where}",
        f"第 {number} 行有语法错误：{_text(message)}{where}",
    )
    return text, SourceLine(number, shown)


def absent(reply: dict[str, Any]) -> LearnerProblem:
    """The learner's file lacks a name, or has something else under it."""
    name, why = _text(reply.get("name")), _text(reply.get("why"))
    close = [_text(c) for c in _items(reply.get("close"))]
    sealed = Text(f"Your file has no callable `{name}`.", f"你的文件里没有可以调用的 `{name}`。")
    if why != "missing":
        text = Text(
            f"`{name}` should be callable; it is {why}.", f"`{name}` 应当可以调用，实际是 {why}。"
        )
    elif close:
        text = Text(
            f"Your file has no `{name}`. Did you mean `{close[0]}`?",
            f"你的文件里没有 `{name}`。是不是 `{close[0]}`？",
        )
    else:
        text = Text(f"Your file has no `{name}`.", f"你的文件里没有 `{name}`。")
    return LearnerProblem(Outcome.ERROR, text, sealed=sealed)


def unsendable(reply: dict[str, Any]) -> LearnerProblem:
    """The learner's value is of a type that does not cross."""
    where, what = _text(reply.get("where")), _text(reply.get("what"))
    at = f"`{where}`: " if where else ""
    return LearnerProblem(
        Outcome.WRONG,
        Text(
            f"The result cannot be used: {at}{what}.",
            f"这个结果无法使用：{at}{_in_chinese(what)}。",
        ),
        sealed=Text(
            "The result holds something that is not plain data.", "这个结果里有不是普通数据的东西。"
        ),
    )


# What an examinee's encoder says of a value that it cannot send (judge/wire/encoder.py).
_REFUSALS = (
    (r"a value of type (.*) is not plain data", r"类型 \1 的值不是普通数据"),
    (r"a tensor of (.*) is not plain data", r"\1 的张量不是普通数据"),
    (r"a tensor of shape (.*) is too large", r"形状为 \1 的张量太大"),
    (r"an integer of (.*) bits is too large", r"\1 位的整数太大"),
    (r"nested deeper than (\d+) levels", r"嵌套超过 \1 层"),
    (r"too many values.*", r"值太多"),
    (r"too many keys of type (.*)", r"类型 \1 的键太多"),
    (r"too large \((.*) bytes; the limit is (.*)\)", r"太大（\1 字节，上限 \2）"),
)


def _in_chinese(what: str) -> str:
    for pattern, chinese in _REFUSALS:
        if re.fullmatch(pattern, what):
            return re.sub(pattern, chinese, what)
    return what


def timeout(seconds: float, line: SourceLine | None) -> LearnerProblem:
    at = (
        Text(f" It stood at line {line.number}.", f"当时停在第 {line.number} 行。")
        if line
        else Text("", "")
    )
    return LearnerProblem(
        Outcome.TIMEOUT,
        Text(
            f"Your code did not finish within {max(seconds, 0.1):.1f} s.{at.en}",
            f"你的代码在 {max(seconds, 0.1):.1f} 秒内没有结束。{at.zh}",
        ),
        line,
    )


def deadlock(said: Text, line: SourceLine | None) -> LearnerProblem:
    """Every thread waits for another; `said` tells who waits where."""
    return LearnerProblem(
        Outcome.TIMEOUT,
        Text(
            f"Your code waits for something that can never come.\n{said.en}",
            f"你的代码在等待永远不会到来的东西。\n{said.zh}",
        ),
        line,
    )


def stopped(line: SourceLine | None) -> LearnerProblem:
    """Whoever runs the tests has stopped them in the middle of one."""
    at = (
        Text(f" Your code stood at line {line.number}.", f"你的代码停在第 {line.number} 行。")
        if line
        else Text("", "")
    )
    return LearnerProblem(
        Outcome.TIMEOUT,
        Text(f"You stopped this test.{at.en}", f"你停止了这个测试。{at.zh}"),
        line,
    )


def silence(seconds: float, what: Text, line: SourceLine | None) -> LearnerProblem:
    """The examiner waited at a queue in vain."""
    at = (
        Text(f" Your code stood at line {line.number}.", f"你的代码停在第 {line.number} 行。")
        if line
        else Text("", "")
    )
    return LearnerProblem(
        Outcome.TIMEOUT,
        Text(
            f"{what.en} within {max(seconds, 0.1):.1f} s.{at.en}",
            f"{max(seconds, 0.1):.1f} 秒内{what.zh}。{at.zh}",
        ),
        line,
    )


def crash(exit_code: int | None, out_of_memory: bool) -> LearnerProblem:
    """The examinee's process ended by itself; a negative code is a signal."""
    if out_of_memory:
        return LearnerProblem(Outcome.MEMORY, OUT_OF_MEMORY)
    if exit_code is None or exit_code >= 0:
        code = Text("", "")
        if exit_code is not None:
            code = Text(f" (exit code {exit_code})", f"（退出码 {exit_code}）")
        text = Text(
            f"Your code ended its own process{code.en}; the test got no answer.",
            f"你的代码结束了自己的进程{code.zh}，测试没有收到结果。",
        )
        return LearnerProblem(Outcome.CRASHED, text)
    number = -exit_code
    if number == signal.SIGXCPU:
        return LearnerProblem(
            Outcome.TIMEOUT,
            Text("Your code used too much CPU time.", "你的代码用了太多 CPU 时间。"),
        )
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = str(number)
    hint = Text("", "")
    if number == signal.SIGSEGV:
        hint = Text(" Endless recursion can cause this.", "无限递归可能造成这种情况。")
    return LearnerProblem(
        Outcome.CRASHED,
        Text(f"Your program crashed ({name}).{hint.en}", f"你的程序崩溃了（{name}）。{hint.zh}"),
    )


class Forged(LearnerProblem):
    """What came over the wire is not what the examinee's side writes."""

    def __init__(self, why: str) -> None:
        super().__init__(
            Outcome.CRASHED,
            Text(
                f"Your code disturbed the connection to the judge ({why}).",
                f"你的代码破坏了与评测程序的连接（{why}）。",
            ),
        )


def flood(limit: int) -> LearnerProblem:
    mib = limit // 2**20
    return LearnerProblem(
        Outcome.OUTPUT,
        Text(f"Your code printed more than {mib} MiB.", f"你的代码打印了超过 {mib} MiB 的内容。"),
    )


def last_line(frames: Any, learner_file: str) -> SourceLine | None:
    """The innermost frame that is the learner's own; `frames` comes from the examinee, so any shape."""
    own = [
        SourceLine(f[1], _text(f[3]).strip())
        for f in (frames if isinstance(frames, list) else [])
        if isinstance(f, list) and len(f) == 4 and f[0] == learner_file and _is_line(f[1])
    ]
    return own[-1] if own else None


def line_in_stacks(stacks: str, learner_file: str, source: str) -> SourceLine | None:
    """Where the learner's code stands, from the stacks that faulthandler wrote (innermost first)."""
    found = re.search(rf'File "{re.escape(learner_file)}", line (\d+)', stacks)
    if found is None:
        return None
    number, lines = int(found[1]), source.splitlines()
    return SourceLine(number, lines[number - 1].strip()) if 0 < number <= len(lines) else None


def _is_line(number: Any) -> bool:
    return type(number) is int and 0 < number <= MAX_LINE


def _items(value: Any) -> list[Any]:
    return value[:MAX_ITEMS] if isinstance(value, list) else []


def _text(value: Any, default: str = "") -> str:
    """A text that the examinee's side says is one: any length, and perhaps not encodable."""
    return fit_to_show(value, MAX_TEXT) if isinstance(value, str) else default


def fit_to_show(text: str, limit: int) -> str:
    """The text with lone surrogates escaped, which no verdict's JSON may hold, and cut at the limit."""
    cut = text if len(text) <= limit else text[:limit] + " …"
    return cut.encode("utf-8", "backslashreplace").decode()
