"""`learner`, `sender`, `receiver`: the learner's module as a test sees it."""

from __future__ import annotations

import contextlib
import inspect
import re
import textwrap
import time
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from judge.examiner import problems
from judge.examiner.parts import LiveGrading
from judge.kit import Failure
from judge.texts import Text

WAIT_STEP_SECONDS = 0.25
# Of the probes that live: a page imports its test files anew for every run.
_SOURCES: WeakKeyDictionary[FunctionType, dict[str, Any]] = WeakKeyDictionary()


class Learner:
    """Calls into one examinee. Any name of the learner's module can be called as a method of this."""

    def __init__(self, grading: LiveGrading, role: str) -> None:
        self._grading, self._role = grading, role

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **keywords: self.call(name, *arguments, **keywords)

    def call(self, target: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Call `name` of the learner's module, or `package.module:name` of the tree, by value."""
        return self._ask("call", target=target, arguments=list(arguments), keywords=keywords)

    def run(self, probe: FunctionType, /, *arguments: Any) -> Any:
        """Run `probe(here, *arguments)` beside the learner's code and wait for what it returns."""
        return self._ask("run", **source_of(probe), arguments=list(arguments))

    def start(self, probe: FunctionType, /, *arguments: Any) -> Running:
        """Run `probe(here, *arguments)` in a thread beside the learner's code, without waiting."""
        number = self._ask("start", **source_of(probe), arguments=list(arguments))
        return Running(self._grading, self._role, number)

    @contextlib.contextmanager
    def raises(self, *expected: type[BaseException], match: str | None = None) -> Iterator[None]:
        """Expect the learner's code to raise one of `expected`, its text to contain the pattern `match`."""
        names = " or ".join(e.__name__ for e in expected)
        try:
            yield
        except problems.LearnerRaised as raised:
            actual = f"{raised.type_name}: {raised.message}"
            if not any(e.__name__ in raised.bases for e in expected):
                en = f"Your code raises {raised.type_name} here; it should raise {names}."
                zh = f"你的代码在这里抛出 {raised.type_name}，应当抛出 {names}。"
                sealed = Text(
                    f"Your code raises {raised.kind} here; it should raise {names}.",
                    f"你的代码在这里抛出 {raised.kind}，应当抛出 {names}。",
                )
                raise Failure(Text(en, zh), expected=names, actual=actual, sealed=sealed) from None
            if match is not None and not re.search(match, raised.message):
                en = f"The text of your {raised.type_name} does not name the problem: {raised.message!r}"
                zh = f"你的 {raised.type_name} 没有说清问题：{raised.message!r}"
                sealed = Text(
                    f"The text of your {raised.kind} does not name the problem.",
                    f"你的 {raised.kind} 没有说清问题。",
                )
                raise Failure(
                    Text(en, zh), expected=f"a text with {match!r}", actual=actual, sealed=sealed
                ) from None
            return
        en = f"Your code accepts this; it should raise {names}."
        raise Failure(Text(en, f"你的代码接受了这个输入，但应当抛出 {names}。"), expected=names)

    def _ask(self, op: str, **fields: Any) -> Any:
        link = self._grading.link(self._role)
        return link.ask(self._grading.clock.deadline, op, **fields)


class Running:
    """A probe started by `Learner.start`."""

    def __init__(self, grading: LiveGrading, role: str, number: int) -> None:
        self._grading, self._role, self._number = grading, role, number
        self._ended = False
        grading.running.append(self)

    def done(self) -> bool:
        """Whether it has ended, without waiting."""
        return self._wait(0.0)

    def result(self, seconds: float | None = None) -> Any:
        """What the probe returned, after at most `seconds` (default: as long as the test may last).

        Raises `LearnerProblem`: what the probe raised, or a timeout that names the learner's line.
        """
        started = time.monotonic()
        deadline = self._grading.clock.until(seconds)
        while not self._wait(min(WAIT_STEP_SECONDS, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                raise problems.timeout(deadline - started, self._grading.where())
        return self._ask("result", number=self._number)

    def raise_if_failed(self) -> None:
        """Raise what the probe raised, if it has ended that way."""
        if not self._ended and self._wait(0.0):
            self._ended = True
            self._ask("result", number=self._number)

    def _wait(self, seconds: float) -> bool:
        return self._ask("wait", number=self._number, seconds=seconds) is True

    def _ask(self, op: str, **fields: Any) -> Any:
        # The margin is for the answer's own way: the learner's time is measured by who waits.
        deadline = self._grading.clock.deadline + 2 * WAIT_STEP_SECONDS
        return self._grading.link(self._role).ask(deadline, op, **fields)


def source_of(probe: FunctionType) -> dict[str, Any]:
    """A probe's source as data. Raises `TypeError` for what is not a plain function of a test file."""
    if not inspect.isfunction(probe) or probe.__closure__ or probe.__name__ == "<lambda>":
        raise TypeError("a probe is a function defined with def at the top of a test file")
    if probe not in _SOURCES:
        lines, line = inspect.getsourcelines(probe)
        _SOURCES[probe] = {
            "name": probe.__name__,
            "source": textwrap.dedent("".join(lines)),
            "file": probe.__code__.co_filename.rpartition("/")[2],
            "line": line,
        }
    return _SOURCES[probe]


def read_probes(module: ModuleType) -> None:
    """Read the sources of a test file's probes ahead, known by their first parameter `here`.

    Finding a function's end in its file takes a good part of a millisecond.
    """
    for value in vars(module).values():
        if inspect.isfunction(value) and value.__code__.co_varnames[:1] == ("here",):
            source_of(value)
