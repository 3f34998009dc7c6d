"""What every examinee of a grading loads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.examiner import problems


class Submission:
    """The learner's file and the modules it may see. `display` is the file name in tracebacks."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.module: str = request["module"]
        self.source: str = request["source"]
        self.display: str = request["display"]
        self.provides: list[str] = request["provides"]
        self.sources: dict[str, list[Any]] = {
            **request["support"],
            self.module: [self.source, self.display, False],
        }

    def load(self, ask: Callable[..., Any]) -> None:
        """Load the module. Raises `LearnerProblem` if that fails or a name is missing."""
        problems_found = ask(
            "load", module=self.module, sources=self.sources, provides=self.provides
        )
        if type(problems_found) is not list or any(type(p) is not dict for p in problems_found):
            raise problems.Forged("an odd answer to loading")
        if problems_found:
            raise problems.absent(problems_found[0])

    def line(self, number: int) -> list[Any]:
        """A line's number and what stands there in the learner's file."""
        lines = self.source.splitlines()
        return [number, lines[number - 1].strip() if 0 < number <= len(lines) else ""]
