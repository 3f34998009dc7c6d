"""What all tests share. In hosted CI, each failed test is put at its file and line in the log."""

from __future__ import annotations

import os
import traceback
from collections.abc import Generator
from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"
# A course and submissions that tests hand to the judge; their tests are not tests of this house.
collect_ignore = ["attacks", "attacks_course", "course", "submissions", "zmq_programs"]


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("GITHUB_ACTIONS") == "true":
        config.pluginmanager.register(Annotations(config.rootpath))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests with a browser last: Playwright leaves an event loop running in this thread, under
    which no other test could start its own."""
    items.sort(key=lambda item: BROWSER in item.path.parents)


class Annotations:
    """Notes failures as they come, and prints them at the end, each on a line of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.commands: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.failed:
            file, line, _ = item.location
            self.note(report, call.excinfo, file, (line or 0) + 1)
        return report

    def pytest_exception_interact(
        self, call: pytest.CallInfo, report: pytest.TestReport | pytest.CollectReport
    ) -> None:
        # Only what fails while tests are collected; makereport has seen the rest.
        if isinstance(report, pytest.CollectReport):
            self.note(report, call.excinfo, report.nodeid.partition("::")[0], 1)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for command in self.commands:
            terminalreporter.ensure_newline()
            terminalreporter.write_line(command)

    def note(
        self,
        report: pytest.TestReport | pytest.CollectReport,
        raised: pytest.ExceptionInfo[BaseException] | None,
        file: str,
        line: int,
    ) -> None:
        message = report.longreprtext  # what stands without an exception, as "[XPASS(strict)]"
        if raised is not None:
            error, places = self.unfold(raised)
            message = "".join(traceback.format_exception_only(error)).strip()
            file, line = next(filter(None, map(self.inside, reversed(places))), (file, line))
        properties = {"file": file, "line": str(line), "title": report.nodeid}
        self.commands.append(workflow_command("error", properties, message))

    def unfold(
        self, raised: pytest.ExceptionInfo[BaseException]
    ) -> tuple[BaseException, list[tuple[str, int]]]:
        """The error itself, and the lines it went through, from the outermost to the innermost."""
        error = raised.value
        if not isinstance(error, pytest.Collector.CollectError) or error.__cause__ is None:
            shown = raised.traceback.filter(raised)  # without the helpers that hide themselves
            return error, [(str(entry.path), entry.lineno + 1) for entry in shown]
        error = error.__cause__
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, frame.lineno or 1) for frame in frames]
        if isinstance(error, SyntaxError):
            places.append((error.filename or "", error.lineno or 1))
        return error, places

    def inside(self, place: tuple[str, int]) -> tuple[str, int] | None:
        """The place with a path from the repository's root, if it lies in there."""
        path, line = Path(place[0]), place[1]
        if not path.is_relative_to(self.root) or "site-packages" in path.parts:
            return None
        return str(path.relative_to(self.root)), line


def workflow_command(name: str, properties: dict[str, str], message: str) -> str:
    """One command of the log: `::error file=…,line=…::message`, escaped to stay one line."""

    def escape(text: str, more: str = "") -> str:
        for character in "%\r\n" + more:  # the percent sign first, or it would be escaped twice
            text = text.replace(character, f"%{ord(character):02X}")
        return text

    joined = ",".join(f"{key}={escape(value, ',:')}" for key, value in properties.items())
    return f"::{name} {joined}::{escape(message)}"
