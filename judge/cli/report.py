"""The report a learner reads: a line per exercise, what failed and why, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from judge.cli import failures, words
from judge.cli.grading import Submission
from judge.cli.page import Page
from judge.texts import Text
from judge.verdict import Outcome, Status, Verdict

SUMMARY = Text("{passed} of {total} exercises passed.", "{total} 个练习，通过了 {passed} 个。")
SEED = Text(
    "Seed {seed}: --seed {seed} repeats these inputs.",
    "种子 {seed}：用 --seed {seed} 可以重现同样的输入。",
)
EDIT = Text("not started yet: edit {path}", "还没开始：请编辑 {path}")
MAX_TITLE = 40

Graded = tuple[Submission, Verdict]


class Report:
    """The text report on one page. An exercise that is not yet begun gets one line."""

    def __init__(self, page: Page, submissions: Sequence[Submission]) -> None:
        self._page = page
        self._several = len(submissions) > 1
        titles = [cell_len(page[each.exercise.title]) for each in submissions]
        self._title = min(MAX_TITLE, max(titles, default=0))
        self._id = max((len(each.exercise.id) for each in submissions), default=0)

    def line(self, submission: Submission, verdict: Verdict) -> None:
        """One exercise: sign, title, tests passed of all, time, and a word where one is needed."""
        page, exercise = self._page, submission.exercise
        passed = sum(test.outcome is Outcome.PASSED for test in verdict.tests)
        count = f"{passed:>3}/{len(verdict.tests):<3}" if verdict.tests else f"{'-':^7}"
        status: Status | None = verdict.status
        word = (
            ""
            if verdict.verdict in (Outcome.PASSED, Outcome.WRONG)
            else page[words.OUTCOMES[verdict.verdict]]
        )
        if self._not_begun(submission, verdict):
            status, word = None, page[words.NOT_STARTED]
            if not self._several:
                word = page[EDIT].format(path=submission.shown)
        style = words.STYLES[status] if status else "dim"
        title = set_cell_size(page[exercise.title], self._title)
        page.row(
            (f"{words.symbol(page.console, status)} {title}", style),
            (f"  {count} {words.seconds(verdict.duration_ms):>6}   ", ""),
            (f"{exercise.id:{self._id}}   ", "dim"),
            (word, style),
        )

    def details(self, graded: Sequence[Graded]) -> None:
        """What failed, exercise by exercise."""
        for submission, verdict in graded:
            if not verdict.passed and not self._not_begun(submission, verdict):
                self._page.blank()
                self._heading(submission)
                failures.show(self._page, submission, verdict)

    def closing(self, graded: Sequence[Graded], advice: Text) -> None:
        """The count, the seed where something failed in a test, and the next step."""
        page = self._page
        page.blank()
        if self._several:
            passed = sum(verdict.passed for _, verdict in graded)
            page.prose(page[SUMMARY].format(passed=passed, total=len(graded)))
        shown = (v for each, v in graded if not v.passed and not self._not_begun(each, v))
        seed = next((verdict.seed for verdict in shown if verdict.tests), None)
        if seed is not None:
            page.prose(page[SEED].format(seed=seed), style="dim")
        # The terminal wraps it, so that a command in it can be copied whole.
        page.row((page[advice], "bold"))

    def _heading(self, submission: Submission) -> None:
        exercise = submission.exercise
        self._page.row((f"{exercise.id}  {self._page[exercise.title]}", "bold underline"))

    @staticmethod
    def _not_begun(submission: Submission, verdict: Verdict) -> bool:
        failed = verdict.verdict not in (Outcome.PASSED, Outcome.INTERNAL)
        return failed and submission.untouched
