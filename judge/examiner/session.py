"""One exercise's tests in pytest: collected once, then run in a fork per grading.

The process runs `pytest.main` as anybody would. Where pytest would begin with the tests, this plugin
waits for requests instead; each request forks a grader that goes on from the collected tests. So tests
are ordinary pytest tests, and nothing that one grading does can reach the next.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import signal
import socket
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

from judge.control import Control
from judge.examiner import feedback, problems
from judge.examiner.clock import Clock
from judge.examiner.grading import Grading
from judge.examiner.lean import PYTEST_ARGUMENTS, plain_report, run_coroutine_test, within
from judge.examiner.learner import Learner, read_probes
from judge.examiner.queues import Queues
from judge.examiner.replies import dataclasses_of
from judge.examiner.submission import Submission
from judge.sandbox import confine, limits


class Supervisor:
    """The supervisor as seen from a grader: a question and its answer at a time."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def tell(self, event: str, **fields: Any) -> None:
        self._control.send({"event": event, **fields})

    def spawn(self) -> tuple[int, list[int]]:
        reply, descriptors = self._ask("spawn")
        return reply["number"], descriptors

    def trace(self, number: int) -> None:
        self._ask("trace", number=number)

    def finish(self, number: int, hung_up: bool) -> tuple[int | None, bool]:
        reply, _ = self._ask("finish", number=number, hung_up=hung_up)
        return reply["exit"], reply["out_of_memory"]

    def _ask(self, event: str, **fields: Any) -> tuple[dict[str, Any], list[int]]:
        self.tell(event, **fields)
        reply, descriptors = self._control.receive()
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply, descriptors


@dataclasses.dataclass
class Confinement:
    """What a grader gives up before it reads what the learner's side sends."""

    walls: confine.Walls
    readable: list[str]

    def enter(self, queue_folders: list[str]) -> None:
        confine.confine_examiner(self.walls, self.readable, queue_folders)


class Session:
    """The pytest plugin of one exercise's process."""

    def __init__(self, control: Control, confinement: Confinement) -> None:
        self._control, self._confinement = control, confinement
        self._complaints: list[str] = []
        self._children: set[int] = set()
        self._ending: set[int] = set()
        self._classes: list[type] = []
        self._reporter = feedback.Reporter()
        self.served = False
        self.grading: Grading | None = None
        self.queues: Queues | None = None
        self.seed = 0

    @property
    def complaint(self) -> str:
        return "\n".join(self._complaints) or "no test was collected"

    # --- pytest's hooks -----------------------------------------------------------------------

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._complaints.append(str(report.longrepr))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve gradings instead of running the tests."""
        if self._complaints or not session.items:
            return True
        self.served = True
        self._classes = dataclasses_of("minisgl")
        for module in {item.module for item in session.items if isinstance(item, pytest.Function)}:
            read_probes(module)
        with_queues = [item.name for item in session.items if "queues" in item.fixturenames]
        names = [item.name for item in session.items]
        # The supervisor may hang up at any moment, also before it has asked for anything.
        with contextlib.suppress(EOFError, OSError):
            self._control.send({"ready": names, "with_queues": with_queues})
            while True:
                self._serve(session, *self._control.receive())
        for pid in list(self._children):
            self._finish(pid)
        return True

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        feedback.explain_small_comparisons_only()
        # Not torch.manual_seed: that also notes the whole call stack for GPUs, every time.
        seed = random.Random(f"{self.seed}:{item.name}").getrandbits(63)
        torch.default_generator.manual_seed(seed)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        self._reporter.note(call)
        return plain_report(item, call)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        return run_coroutine_test(pyfuncitem)

    @pytest.fixture
    def learner(self) -> Learner:
        return Learner(self._current(), "learner")

    @pytest.fixture
    def sender(self) -> Learner:
        return Learner(self._current(), "sender")

    @pytest.fixture
    def receiver(self) -> Learner:
        return Learner(self._current(), "receiver")

    @pytest.fixture(name="queues")
    def queues_fixture(self):
        yield self.queues
        if self.queues is not None:
            self.queues.close_peers()

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> random.Random:
        return random.Random(f"{self.seed}:{request.node.name}:rng")

    def _current(self) -> Grading:
        if self.grading is None:
            raise RuntimeError("no grading runs")
        return self.grading

    # --- serving ------------------------------------------------------------------------------

    def _serve(self, session: pytest.Session, request: dict[str, Any], fds: list[int]) -> None:
        if request["op"] == "finish":
            self._finish(request["number"])
            self._control.send({})
            return
        try:
            pid = os.fork()
        except OSError as error:  # the machine has no room for another process
            for descriptor in fds:
                os.close(descriptor)
            self._control.send({"error": f"fork: {error}"})
            return
        if pid == 0:
            self._control.close()
            self._grade(session, request, Control(socket.socket(fileno=fds[0])))
        for descriptor in fds:
            os.close(descriptor)
        self._children.add(pid)
        self._control.send({"number": pid})

    def _finish(self, pid: int) -> None:
        """End a grader. It is waited for later: that takes milliseconds, and nobody needs them now."""
        self._children.discard(pid)
        os.kill(pid, signal.SIGKILL)
        self._ending.add(pid)
        for ended in list(self._ending):
            if os.waitpid(ended, os.WNOHANG)[0]:
                self._ending.discard(ended)

    def _grade(self, session: pytest.Session, request: dict[str, Any], control: Control) -> None:
        """In the fork: run the tests the request names, telling each result. Never returns."""
        supervisor = Supervisor(control)
        try:
            limits.die_with_parent()
            self.seed = request["seed"]
            self._confinement.enter(request["queues"])
            clock = Clock(request["test_seconds"], request["submission_seconds"])
            self.grading = Grading(supervisor, Submission(request), clock, self._classes)
            self.queues = Queues(self.grading, *map(Path, request["queues"]))
            items = [i for i in session.items if Path(i.path).name in request["files"]]
            self._run(items, supervisor)
            # The supervisor ends the examinees, when nobody waits for the verdict any more.
            supervisor.tell("done")
        except EOFError:
            pass  # the supervisor is gone; nobody waits for results
        except BaseException as error:
            supervisor.tell("failed", why=f"{type(error).__name__}: {error}")
        finally:
            os._exit(0)

    def _run(self, items: list[pytest.Item], supervisor: Supervisor) -> None:
        grading = self._current()
        try:
            grading.load_first()
        except problems.LearnerProblem as problem:
            output, cut = grading.output.take()
            refusal = feedback.of_problem(problem)
            supervisor.tell("refused", **refusal, output=output, truncated=cut)
            return
        for item, following in zip(items, [*items[1:], None], strict=True):
            started = time.monotonic()
            if grading.clock.used_up:
                finding = feedback.no_time_left()
            else:
                grading.start_test(item.fixturenames)
                self._reporter = feedback.Reporter()
                item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
                finding = self._reporter.finding()
            if finding["line"]:
                # The examinee tells the line; what stands there is read where nobody can change it.
                finding["line"] = grading.submission.line(finding["line"][0])
            output, cut = grading.output.take()
            milliseconds = round((time.monotonic() - started) * 1000, 2)
            supervisor.tell(
                "result", name=item.name, **finding, output=output, truncated=cut,
                duration_ms=milliseconds,
            )  # fmt: skip


def main(control: Control, request: dict[str, Any], confinement: Confinement) -> None:
    """Collect the tests of the request's files and serve gradings until the supervisor hangs up."""
    files = request["files"]
    folder = str(Path(files[0]).parent)
    confinement.readable += [folder, request["reference"]]
    plugin = Session(control, confinement)
    warnings.simplefilter("ignore")
    pytest.main([*PYTEST_ARGUMENTS, *within(folder), *files], plugins=[plugin])
    if not plugin.served:
        with contextlib.suppress(OSError):
            control.send({"complaint": plugin.complaint})
