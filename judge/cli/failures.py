"""The part of the report that says what failed: tests that fail alike are told together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from judge.cli import words
from judge.cli.grading import Submission
from judge.cli.page import Page
from judge.cli.readable import align_caret, shorten
from judge.texts import Text
from judge.verdict import Outcome, SourceLine, TestResult, Verdict, Visibility

EXPECTED, GOT = Text("expected", "预期"), Text("got", "得到")
DIFF, OUTPUT = Text("difference", "差异"), Text("your output", "你的输出")
WHY = Text("What is going on", "问题出在哪里")
AND_MORE = Text("and {count} more tests: {titles}", "另有 {count} 个测试也是这样：{titles}")
AND_ONE_MORE = Text("and 1 more test: {titles}", "另有 1 个测试也是这样：{titles}")
NO_MESSAGE = Text("This test did not pass.", "这个测试没有通过。")
SEPARATOR = Text("; ", "；")

INDENT = 4
VALUE_LINES, DIFF_LINES, OUTPUT_LINES = 12, 24, 10
MESSAGE_LINES, MESSAGE_CHARACTERS = 30, 1500


def show(page: Page, submission: Submission, verdict: Verdict) -> None:
    """Everything that keeps this verdict from a pass, then why, if a wrong solution fails like it."""
    groups = list(_groups(verdict))
    if verdict.message is not None and (not groups or verdict.verdict is Outcome.INTERNAL):
        _message(page, verdict.message, verdict.message_zh, 2)
        _place(page, submission, verdict.line, verdict.message, 2)
    for number, group in enumerate(groups):
        if number:
            page.blank()
        _group(page, submission, group)
    for explanation in verdict.explanations:
        page.blank()
        page.set_apart(page[Text(explanation.en, explanation.zh)], page[WHY], 2)


def _groups(verdict: Verdict) -> Iterator[list[TestResult]]:
    """The failed tests, those with the same message together, in the order of the first of each."""
    groups: dict[tuple[Outcome, str | None], list[TestResult]] = {}
    for test in verdict.tests:
        if test.outcome is not Outcome.PASSED:
            groups.setdefault((test.outcome, test.message), []).append(test)
    yield from groups.values()


def _group(page: Page, submission: Submission, tests: list[TestResult]) -> None:
    first, others = tests[0], tests[1:]
    style = words.STYLES[first.status]
    page.row(
        (f"  {words.symbol(page.console, first.status)} ", style),
        (_title(page, first), "bold"),
        (f"  {page[words.VISIBILITIES[first.visibility]]}", "dim"),
    )
    _message(page, first.message, first.message_zh, INDENT)
    _value(page, page[EXPECTED], first.expected, "green", VALUE_LINES)
    _value(page, page[GOT], first.actual, "red", VALUE_LINES)
    _value(page, page[DIFF], first.diff, "", DIFF_LINES)
    _place(page, submission, first.line, first.message or "", INDENT)
    _value(page, page[OUTPUT], first.output.strip("\n") or None, "", OUTPUT_LINES)
    if others:
        counts = Counter(_title(page, test) for test in others)
        titles = [f"{title} ×{n}" if n > 1 else title for title, n in counts.items()]
        text = page[AND_MORE if len(others) > 1 else AND_ONE_MORE]
        titles_text = page[SEPARATOR].join(titles)
        page.prose(text.format(count=len(others), titles=titles_text), INDENT, "dim")


def _title(page: Page, test: TestResult) -> str:
    """The title, for an example test with its case: a hidden test's case may tell its input."""
    case = test.name.removeprefix(test.function)
    shown = f" {case}" if case and test.visibility is Visibility.EXAMPLE else ""
    return page[test.title] + shown


def _message(page: Page, en: str | None, zh: str | None, indent: int) -> None:
    """The first line is a sentence; what follows it, such as a line of code, keeps its form."""
    text = page[Text(en or NO_MESSAGE.en, zh or en or NO_MESSAGE.zh)]
    text, missing = shorten(align_caret(text), MESSAGE_LINES, MESSAGE_CHARACTERS)
    sentence, newline, rest = text.partition("\n")
    page.prose(sentence + ("" if newline or not missing else " …"), indent)
    if newline:
        page.block(rest, indent + 2, MESSAGE_LINES)


def _value(page: Page, label: str, value: str | None, style: str, lines: int) -> None:
    if value is None:
        return
    if "\n" not in value and len(value) < page.console.width // 2 and label != page[OUTPUT]:
        page.row((f"{'':{INDENT}}{label}: ", "dim"), (value, style))
        return
    page.row((f"{'':{INDENT}}{label}:", "dim"))
    page.block(value, INDENT + 2, lines, style=style)


def _place(page: Page, submission: Submission, line: SourceLine | None, told: str, indent: int) -> None:
    """Where in the learner's file, in the form that terminals turn into a link."""
    if line is None:
        return
    page.row((f"{'':{indent}}{submission.shown}:{line.number}", "cyan"))
    text = line.text.strip()
    if text and text not in told:
        page.block(text, indent + 2, 1)
