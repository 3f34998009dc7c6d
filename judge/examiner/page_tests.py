"""A bundle's tests in this interpreter: written to a folder, collected by pytest, run one by one."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from judge.examinee.loader import MemoryFinder, Source
from judge.examiner import feedback, problems
from judge.examiner.clock import Clock
from judge.examiner.fixtures import Fixtures
from judge.examiner.lean import PYTEST_ARGUMENTS, lean_pytest, plain_report, within
from judge.examiner.left_open import contexts_closed_afterwards
from judge.examiner.one_interpreter import Guard, LocalGrading
from judge.examiner.printed import printing_into
from judge.examiner.replies import dataclasses_of
from judge.examiner.submission import Submission
from judge.results.conclusion import test_result
from judge.texts import Text
from judge.verdict import SourceLine, TestResult, Visibility

TREE = "minisgl"


class BrokenTests(Exception):
    """The tests cannot be collected: for the exercise's author to mend."""


@dataclass(frozen=True, slots=True)
class ExampleTest:
    """What a bundle tells of a test."""

    title: Text
    source: str
    visibility: Visibility = Visibility.EXAMPLE


class PageTests(Fixtures):
    """One run of a bundle's tests, and pytest's plugin in it.

    After `run`: `collected` has the tests' names in their order and `findings` what came of those
    that ran; `refusal` is set if the submission does not load, `stopped` if the run was interrupted.
    """

    def __init__(
        self,
        bundle: dict[str, Any],
        source: str,
        seed: int,
        on_result: Callable[[TestResult], None] | None,
        guard: Guard,
    ) -> None:
        super().__init__(seed)
        self.known = {t["name"]: _example_test(t) for t in bundle["tests"]}
        self.collected: list[str] = []
        self.findings: dict[str, dict[str, Any]] = {}
        self.refusal: dict[str, Any] | None = None
        self.stopped = False
        self._bundle, self._source = bundle, source
        self._on_result, self._guard = on_result, guard
        self._complaints: list[str] = []
        self._failure: Exception | None = None
        self._reporter = feedback.Reporter()

    def run(self) -> None:
        """Collect and run. Raises `BrokenTests`; `KeyboardInterrupt` if stopped before pytest began."""
        # The tests see the tree with the stub in the learner's place. The real one is nobody's here.
        tree = {name: Source(*rest) for name, rest in self._bundle["support"].items()}
        tree[self._bundle["module"]] = Source(self._bundle["stub"], "stub.py", False)
        self._tree = MemoryFinder(tree)
        with (
            tempfile.TemporaryDirectory(prefix="tests-page-") as folder,
            lean_pytest(),
            contexts_closed_afterwards(),
        ):
            paths = []
            for name, text in self._bundle["test_files"].items():
                path = Path(folder, name)
                path.write_text(text, encoding="utf-8")
                paths.append(str(path))
            try:
                self._tree.install()
                ended = pytest.main([*PYTEST_ARGUMENTS, *within(folder), *paths], plugins=[self])
            finally:
                self._tree.remove()
                if self.grading is not None:
                    self.grading.unload()
                _forget_modules_of(folder)
        if self._failure is not None:
            raise self._failure
        if self.stopped or (ended == pytest.ExitCode.INTERRUPTED and not self._complaints):
            self.stopped = True
        elif self._complaints or not self.collected:
            raise BrokenTests("\n".join(self._complaints) or "no test was collected")

    # --- pytest's hooks -----------------------------------------------------------------------

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._complaints.append(str(report.longrepr))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        self._reporter.note(call)
        return plain_report(item, call)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the collected tests on the submission."""
        if self._complaints or not session.items:
            return True
        self.collected = [item.name for item in session.items]
        limits, bundle = self._bundle["limits"], self._bundle
        clock = Clock(limits["test_seconds"], limits["submission_seconds"])
        submission = Submission({**bundle, "source": self._source})
        self.grading = LocalGrading(submission, clock, dataclasses_of(TREE), self._guard)
        self._tree.remove()
        try:
            if self._loads(self.grading):
                for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                    self._run_test(self.grading, item, following)
        except KeyboardInterrupt:
            self.stopped = True
        except Exception as error:  # pytest would print it, and end as if all were well
            self._failure = error
        return True

    # --- the run ------------------------------------------------------------------------------

    def _loads(self, grading: LocalGrading) -> bool:
        try:
            grading.clock.start_test()
            with printing_into(grading.output):
                grading.load()
        except problems.LearnerProblem as problem:
            output, cut = grading.output.take()
            self.refusal = {**feedback.of_problem(problem), "output": output, "truncated": cut}
            return False
        grading.output.take()
        return True

    def _run_test(
        self, grading: LocalGrading, item: pytest.Item, following: pytest.Item | None
    ) -> None:
        started = time.monotonic()
        interrupted: KeyboardInterrupt | None = None
        if grading.clock.used_up:
            finding = feedback.no_time_left()
        else:
            self._reporter = feedback.Reporter()
            with printing_into(grading.output):
                try:
                    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
                except KeyboardInterrupt as error:
                    interrupted = error
            finding = self._reporter.finding() if interrupted is None else _stopped(interrupted)
        output, cut = grading.output.take()
        milliseconds = round((time.monotonic() - started) * 1000, 2)
        finding |= {"output": output, "truncated": cut, "duration_ms": milliseconds}
        self.findings[item.name] = finding
        if self._on_result is not None:
            known = self.known[item.name.partition("[")[0]]
            self._on_result(test_result(item.name, known, finding))
        if interrupted is not None:
            raise interrupted


def _stopped(interrupted: KeyboardInterrupt) -> dict[str, Any]:
    line = next((a for a in interrupted.args if isinstance(a, SourceLine)), None)
    return feedback.of_problem(problems.stopped(line))


def _example_test(plain: dict[str, Any]) -> ExampleTest:
    return ExampleTest(Text(**plain["title"]), plain["source"])


def _forget_modules_of(folder: str) -> None:
    """Take the tests out of the interpreter, so that the next run collects those it is given."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(folder):
            del sys.modules[name]
