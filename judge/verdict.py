"""The result of a grading as plain typed data, and its JSON form.

Everything else produces or shows these values. This room must never run anything, read a file, or
decide what a learner may see: whoever builds a `TestResult` for a hidden test leaves out what is
hidden.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from judge.texts import Text


class Status(StrEnum):
    """The three states of exercism's results.json version 3."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"


class Outcome(StrEnum):
    """What happened, for one test or for a whole submission. Listed from least to most telling."""

    PASSED = "passed"
    WRONG = "wrong"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    OUTPUT = "output"
    MEMORY = "memory"
    FORBIDDEN = "forbidden"
    INTERNAL = "internal"

    @property
    def status(self) -> Status:
        if self is Outcome.PASSED:
            return Status.PASS
        return Status.FAIL if self is Outcome.WRONG else Status.ERROR


SEVERITY = list(Outcome)


class Blame(StrEnum):
    """Who has to act: the learner, the exercise's author, or whoever runs the judge."""

    LEARNER = "learner"
    AUTHOR = "author"
    JUDGE = "judge"


class Visibility(StrEnum):
    EXAMPLE = "example"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the learner's file; `number` counts from 1."""

    number: int
    text: str


@dataclass(kw_only=True, slots=True)
class TestResult:
    """One test's result. `duration_ms` is wall time in milliseconds."""

    __test__ = False  # pytest must not take this class for a test

    name: str
    outcome: Outcome
    visibility: Visibility
    title: Text
    status: Status = Status.ERROR
    message: str | None = None
    message_zh: str | None = None
    expected: str | None = None
    actual: str | None = None
    diff: str | None = None
    line: SourceLine | None = None
    output: str = ""
    test_code: str | None = None
    task_id: int | None = None
    duration_ms: float = 0.0

    def __post_init__(self) -> None:
        self.status = self.outcome.status

    @property
    def function(self) -> str:
        """The test function's name, without the case of a parametrized test."""
        return self.name.partition("[")[0]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why this submission fails as it does: the words of the wrong solution it behaves like."""

    wrong: str
    en: str
    zh: str


@dataclass(kw_only=True, slots=True)
class Verdict:
    """The whole result of one grading; `to_json` gives the form documented in docs/architecture.md."""

    exercise: str
    suite: str
    verdict: Outcome
    status: Status = Status.ERROR
    blame: Blame | None = None
    message: str | None = None
    message_zh: str | None = None
    line: SourceLine | None = None
    tests: list[TestResult] = field(default_factory=list)
    explanations: list[Explanation] = field(default_factory=list)
    backend: str = "cpython"
    isolation: str = ""
    seed: int = 0
    truncated: bool = False
    duration_ms: float = 0.0
    tests_digest: str = ""
    source_digest: str = ""
    version: int = 3

    @property
    def passed(self) -> bool:
        return self.status is Status.PASS

    @property
    def tier(self) -> int | None:
        """The number in `isolation`, 1 for the strongest; None where no sandbox was."""
        words = self.isolation.replace(",", " ").split()
        known = len(words) > 1 and words[0] == "tier" and words[1].isdecimal()
        return int(words[1]) if known else None

    @property
    def failed_functions(self) -> frozenset[str]:
        """Names of the test functions that did not pass."""
        return frozenset(t.function for t in self.tests if t.outcome is not Outcome.PASSED)


def most_telling(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that names a set of outcomes; `internal` for an empty set, which nobody passed."""
    return max(outcomes, key=SEVERITY.index, default=Outcome.INTERNAL)


def to_json(value: Verdict | TestResult | list[Verdict]) -> bytes:
    """The JSON form, UTF-8, indented by two spaces, with a final newline."""
    plain = [asdict(each) for each in value] if isinstance(value, list) else asdict(value)
    return json.dumps(plain, ensure_ascii=False, indent=2).encode() + b"\n"


def from_json(data: bytes) -> Verdict:
    """Read one verdict back. Raises `msgspec.ValidationError` if a field is missing or of a wrong type."""
    import msgspec  # not above: a page has none, and only writes verdicts

    return msgspec.json.decode(data, type=Verdict)
