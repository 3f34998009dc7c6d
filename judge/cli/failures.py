"""The part of the report that says what failed: tests that fail alike are told together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from judge.cli import words
from judge.cli.grading import Submission
from judge.cli.page import Page
from judge.cli.readable import align_caret, shorten
from judge.texts import Text, visible
from judge.verdict import Outcome, SourceLine, TestResult, Verdict, Visibility

EXPECTED, GOT = Text("expected:", "预期："), Text("got:", "得到：")
DIFF, OUTPUT = Text("difference:", "差异："), Text("your output:", "你的输出：")
WHY = Text("What went wrong", "问题出在哪里")
OTHERS = Text(
    "{count} more tests fail in other ways: {titles}",
    "还有 {count} 个测试因别的原因没有通过：{titles}",
)
AND_MORE = Text("and {count} more tests: {titles}", "另有 {count} 个测试因同样的原因失败：{titles}")
AND_ONE_MORE = Text("and 1 more test: {titles}", "另有 1 个测试因同样的原因失败：{titles}")
NO_MESSAGE = Text("This test did not pass.", "这个测试没有通过。")
SEPARATOR = Text("; ", "；")

INDENT = 4
# More than this at once helps nobody: the first mistakes often cause the others.
MAX_GROUPS, MAX_TITLES = 6, 8
VALUE_LINES, DIFF_LINES, OUTPUT_LINES = 12, 24, 10
MESSAGE_LINES, MESSAGE_CHARACTERS = 30, 1500


def show(page: Page, submission: Submission, verdict: Verdict) -> None:
    """All that keeps this verdict from a pass, then why, if a wrong solution fails like it."""
    groups = list(_groups(verdict))
    if verdict.message is not None and (not groups or verdict.verdict is Outcome.INTERNAL):
        _message(page, verdict.message, verdict.message_zh, 2)
        _place(page, submission, verdict.line, verdict.message, 2)
    for number, group in enumerate(groups[:MAX_GROUPS]):
        if number:
            page.blank()
        _group(page, submission, group)
    others = [test for group in groups[MAX_GROUPS:] for test in group]
    if others:
        page.blank()
        text = page[OTHERS].format(count=len(others), titles=_titles(page, others))
        page.prose(text, 2, "dim")
    for explanation in verdict.explanations:
        page.blank()
        page.set_apart(page[Text(explanation.en, explanation.zh)], page[WHY], 2)


def _groups(verdict: Verdict) -> Iterator[list[TestResult]]:
    """The failed tests, those that fail alike together, in the order of the first of each.

    Alike: the same message but for its numbers, such as a size, at the same line.
    """
    groups: dict[tuple[object, ...], list[TestResult]] = {}
    for test in verdict.tests:
        if test.outcome is not Outcome.PASSED:
            line = test.line.number if test.line else None
            key = (test.outcome, re.sub(r"\d+", "0", test.message or ""), line)
            groups.setdefault(key, []).append(test)
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
        text = page[AND_MORE if len(others) > 1 else AND_ONE_MORE]
        page.prose(text.format(count=len(others), titles=_titles(page, others)), INDENT, "dim")


def _titles(page: Page, tests: list[TestResult]) -> str:
    counts = Counter(_title(page, test) for test in tests)
    times = "×" if page.unicode else "x"
    titles = [f"{title} {times}{n}" if n > 1 else title for title, n in counts.items()]
    more = ["…"] if len(titles) > MAX_TITLES else []
    return page[SEPARATOR].join(titles[:MAX_TITLES] + more)


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
    """A value behind its label if both fit on a line, else below it."""
    if value is None:
        return
    # Values of one line stand under each other, to be compared at a glance.
    padded = set_cell_size(label, max(cell_len(label), cell_len(page[EXPECTED])))
    padded += "" if label.endswith("：") else " "  # the full-width colon brings its own space
    room = page.console.width - INDENT - cell_len(padded)
    if (
        label in (page[EXPECTED], page[GOT])
        and "\n" not in value
        and cell_len(visible(value)) <= room
    ):
        page.row((f"{'':{INDENT}}{padded}", "dim"), (value, style))
        return
    page.row((f"{'':{INDENT}}{label}", "dim"))
    page.block(value, INDENT + 2, lines, style=style)


def _place(
    page: Page, submission: Submission, line: SourceLine | None, told: str, indent: int
) -> None:
    """Where in the learner's file, in the form that terminals turn into a link."""
    if line is None:
        return
    page.row((f"{'':{indent}}{submission.shown}:{line.number}", "cyan"))
    text = line.text.strip()
    if text and text not in told:
        page.block(text, indent + 2, 1)
