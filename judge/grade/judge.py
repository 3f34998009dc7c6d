"""`Judge`: a warm sandbox and warm examiners, and the loop that supervises one grading."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import threading
import time
import traceback
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from judge.catalog import Exercise, TestInfo
from judge.control import Control
from judge.examiner.request import grading_request
from judge.grade import result
from judge.grade.examiners import BrokenTests, Examiner, Examiners
from judge.grade.submission import SourceProblem, decode_source
from judge.grade.suites import Suite, tests_of
from judge.sandbox.client import Sandbox, SandboxError
from judge.sandbox.jobs import Job, JobLimits, Jobs
from judge.sandbox.watch import Usage
from judge.texts import Text
from judge.verdict import Blame, Outcome, SourceLine, TestResult, Verdict

GRACE_SECONDS = 5.0
LOOK_SECONDS = 0.1
# libzmq leaves the file of a closed socket behind, so an honest test may leave many.
MAX_QUEUE_FILES = 256
GRADER_MIB = 512
WEAKEST_TIER = 4
OnResult = Callable[[TestResult], None]


class Enough(Exception):
    """What `on_result` raises to end a grading that has shown what it should; `grade` raises it on."""


class Judge:
    """Grades submissions, as many at a time as threads call `grade`. Close it, or use it with `with`."""

    def __init__(self, *, refuse: Collection[str] = (), require_tier: int = WEAKEST_TIER) -> None:
        """`refuse`: walls to do without, see `Sandbox`. `require_tier`: judge only at this tier or better."""
        self._refuse, self._require_tier = refuse, require_tier
        self._lock = threading.Lock()
        self._closed = False
        # First the examiners: they import while the sandbox finds out which walls there are.
        self._examiners = Examiners()
        self._sandbox = Sandbox(refuse=refuse)
        self._jobs = Jobs(self._sandbox)
        self._examiners.clean_up_after(self._sandbox)
        # What follows a verdict: ending its processes, and forking ahead for the next one.
        self._afterwards = ThreadPoolExecutor(1, "afterwards")

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process this judge started and remove what they left."""
        with self._lock:
            self._closed = True
        self._jobs.stop()
        # What was to follow a verdict happens now all at once: the zygotes end what they forked.
        self._afterwards.shutdown(cancel_futures=True)
        self._jobs.close()
        self._sandbox.hang_up()
        self._examiners.close()
        self._sandbox.close()

    def wait_until_idle(self) -> None:
        """Wait until all that follows the verdicts given so far is done."""
        self._afterwards.submit(lambda: None).result()

    @property
    def examiner_process_id(self) -> int:
        """The examiner zygote, for whoever wants to look at what it uses."""
        return self._examiners.process_id

    def sandbox(self) -> Sandbox:
        """The sandbox, ready. Raises `SandboxError`, also if its tier is not good enough."""
        sandbox = self._parts().sandbox
        sandbox.wait_until_ready()
        if sandbox.tier > self._require_tier:
            missing = "; ".join(f"{n}: {p}" for n, p in sandbox.problems.items() if p is not None)
            raise SandboxError(
                f"tier {self._require_tier} is required, this machine gives tier {sandbox.tier} ({missing})"
            )
        return sandbox

    def grade(
        self,
        exercise: Exercise,
        source: str | bytes,
        suite: Suite = "all",
        *,
        seed: int | None = None,
        on_result: OnResult | None = None,
    ) -> Verdict:
        """The verdict on a submission. Never raises for what a submission does.

        `seed` fixes the tests' random inputs; without one it is drawn and stands in the verdict.
        `on_result` is called with each test's result as it comes; it may raise `Enough`. Raises
        `ValueError` for an unknown suite.
        """
        run = tests_of(exercise, suite)
        started = time.monotonic()
        verdict = Verdict(
            exercise=exercise.id,
            suite=suite,
            verdict=Outcome.INTERNAL,
            seed=secrets.randbelow(2**31) if seed is None else seed,
        )
        try:
            # Its tests are collected while the sandbox still imports.
            self._parts().examiners.examiner(exercise)
            verdict.isolation = self.sandbox().isolation
            text = decode_source(source)
            verdict.source_digest = hashlib.sha256(text.encode()).hexdigest()
            verdict.tests_digest = exercise.tests_digest
            _Grading(self._parts(), exercise, text, run, verdict, on_result).run()
        except Enough:
            raise
        except SourceProblem as problem:
            result.refuse(verdict, Outcome.ERROR, Blame.LEARNER, problem.text)
        except BrokenTests as problem:
            self._examiners.forget(exercise)
            text_ = Text(f"The tests cannot be run:\n{problem}", f"测试无法运行：\n{problem}")
            result.refuse(verdict, Outcome.INTERNAL, Blame.AUTHOR, text_)
        except Exception as problem:  # whatever is wrong with the judge, the learner gets a verdict
            self._examiners.forget(exercise)
            known = isinstance(problem, (SandboxError, OSError))
            why = str(problem) if known else "".join(traceback.format_exception(problem))
            text_ = Text(
                f"The judge itself failed, not your code: {why}",
                f"评测程序自己出了错，不是你的代码的问题：{why}",
            )
            result.refuse(verdict, Outcome.INTERNAL, Blame.JUDGE, text_)
        verdict.duration_ms = round((time.monotonic() - started) * 1000, 2)
        return verdict

    def _parts(self) -> _Parts:
        """The sandbox and the examiners, replaced if they have ended."""
        with self._lock:
            if self._closed:
                raise SandboxError("the judge is closed")
            if self._sandbox.broken:
                self._jobs.close()
                self._sandbox.close()
                self._sandbox = Sandbox(refuse=self._refuse)
                self._jobs = Jobs(self._sandbox)
                self._examiners.clean_up_after(self._sandbox)
            if self._examiners.ended:
                self._examiners.close()
                self._examiners = Examiners()
                self._examiners.clean_up_after(self._sandbox)
            return _Parts(self._sandbox, self._jobs, self._examiners, self._afterwards)


@dataclass(frozen=True)
class _Parts:
    """What one grading works with."""

    sandbox: Sandbox
    jobs: Jobs
    examiners: Examiners
    afterwards: ThreadPoolExecutor


class _Grading:
    """Supervises one grading: answers the grader's requests until it is done or its time is over."""

    def __init__(
        self,
        parts: _Parts,
        exercise: Exercise,
        source: str,
        run: dict[str, TestInfo],
        verdict: Verdict,
        on_result: OnResult | None,
    ) -> None:
        self._parts = parts
        self._exercise, self._source, self._run = exercise, source, run
        self._verdict, self._on_result = verdict, on_result
        self._findings: dict[str, dict[str, Any]] = {}
        self._collected: list[str] = []
        self._done = False
        self._refused = False
        self._stopped: dict[str, Any] | None = None

    def run(self) -> None:
        examiner = self._parts.examiners.examiner(self._exercise)
        collected = [n for n in examiner.names() if n.partition("[")[0] in self._run]
        self._collected = collected
        self._uses_queues = examiner.any_uses_queues(collected)
        limits = self._exercise.limits
        self._job = self._parts.jobs.take(
            JobLimits(limits.memory_mb, int(limits.submission_seconds) + 1, self._uses_queues)
        )
        number = None
        control, theirs = Control.pair()
        try:
            with theirs:
                number = examiner.start_grader(self._request(), theirs.fileno())
            with contextlib.closing(Usage(number)) as self._grader:
                self._supervise(control)
        finally:
            control.close()
            tidy = partial(_tidy, self._parts, self._job, examiner, number)
            try:
                self._parts.afterwards.submit(tidy)
            except RuntimeError:  # the judge is being closed meanwhile
                tidy()
        if self._stopped is not None:
            self._findings = dict.fromkeys(collected, self._stopped) | self._findings
        if not self._refused:
            result.conclude(self._verdict, self._findings, self._exercise, self._run, collected)

    def _request(self) -> dict[str, Any]:
        exercise, limits = self._exercise, self._exercise.limits
        return {
            "files": sorted({test.file for test in self._run.values()}),
            "seed": self._verdict.seed,
            "test_seconds": limits.test_seconds,
            "submission_seconds": limits.submission_seconds,
            "queues": [str(folder) for folder in self._job.folders],
            **grading_request(exercise, self._source),
        }

    def _supervise(self, control: Control) -> None:
        limits = self._exercise.limits
        deadline = (
            time.monotonic() + limits.submission_seconds + limits.test_seconds + GRACE_SECONDS
        )
        answers = {"spawn": self._spawn, "trace": self._trace, "finish": self._finish}
        notes = {"result": self._note_result, "refused": self._refuse}
        look_at, most_memory = 0.0, self._grader.memory + GRADER_MIB * 2**20
        while not self._done:
            if time.monotonic() >= look_at:
                look_at = time.monotonic() + LOOK_SECONDS
                if self._must_stop(deadline, most_memory):
                    return
            try:
                event, _ = control.receive(look_at)
            except TimeoutError:
                continue
            except (EOFError, ValueError) as error:
                raise SandboxError(
                    f"the examiner ended without a verdict {error}".strip()
                ) from None
            kind = event["event"]
            if kind in answers:
                answers[kind](control, event)
            elif kind in notes:
                notes[kind](event)
            elif kind == "failed":
                raise SandboxError(event["why"])
            else:
                self._done = True

    def _spawn(self, control: Control, _: dict[str, Any]) -> None:
        spawned = self._job.spawn()
        try:
            descriptors = (spawned.rpc, spawned.output, spawned.trace)
            control.send({"number": spawned.number}, descriptors)
        finally:
            spawned.close()

    def _trace(self, control: Control, event: dict[str, Any]) -> None:
        self._job.trace(event["number"])
        control.send({})

    def _finish(self, control: Control, event: dict[str, Any]) -> None:
        ended = self._job.finish(event["number"], hung_up=event["hung_up"])
        control.send({"exit": ended.exit_code, "out_of_memory": ended.out_of_memory})

    def _note_result(self, event: dict[str, Any]) -> None:
        self._findings[event["name"]] = event
        if self._on_result is not None:
            info = self._run[event["name"].partition("[")[0]]
            self._on_result(result.test_result(event["name"], info, event))

    def _refuse(self, event: dict[str, Any]) -> None:
        self._refused = True
        outcome, verdict = Outcome(event["outcome"]), self._verdict
        result.refuse(verdict, outcome, Blame.LEARNER, Text(*event["text"]))
        if event["line"]:
            verdict.line = SourceLine(*event["line"])
        verdict.truncated = event["truncated"]

    def _must_stop(self, deadline: float, most_memory: int) -> bool:
        """Whether something is over a limit that the grader cannot hold by itself; notes what."""
        if len(os.listdir(self._job.bound_by_learner)) > MAX_QUEUE_FILES:
            self._stop(
                Outcome.FORBIDDEN,
                f"Your code made more than {MAX_QUEUE_FILES} files for sockets.",
                f"你的代码创建了超过 {MAX_QUEUE_FILES} 个套接字文件。",
            )
        elif self._grader.memory > most_memory:
            # Where there are queues, ZMQ takes in a thousand messages before the test wants one.
            if self._uses_queues:
                self._stop(
                    Outcome.OUTPUT,
                    f"Your code sent more than {GRADER_MIB} MiB that the test has not received yet.",
                    f"你的代码发送了超过 {GRADER_MIB} MiB 测试还没有接收的数据。",
                )
            else:
                self._blame_test(f"takes more than {GRADER_MIB} MiB", f"占用超过 {GRADER_MIB} MiB")
        elif time.monotonic() >= deadline:
            self._blame_test("does not end", "没有结束")
        else:
            return False
        return True

    def _blame_test(self, en: str, zh: str) -> None:
        """The grader is far over its limits by what a test does itself."""
        # The tests run in their order: the first without a result is the one.
        name = next((n for n in self._collected if n not in self._findings), "the tests")
        self._verdict.blame = Blame.AUTHOR
        result.set_message(self._verdict, Text(f"{name} {en}.", f"{name} {zh}。"))

    def _stop(self, outcome: Outcome, en: str, zh: str) -> None:
        """Note what every test without a result gets for one."""
        self._stopped = {"outcome": outcome, "text": [en, zh], "blame": Blame.LEARNER}


def _tidy(parts: _Parts, job: Job, examiner: Examiner, grader: int | None) -> None:
    """After the verdict: end the grading's processes and make ready for the next one like it."""
    with contextlib.suppress(SandboxError, OSError):
        if grader is not None:
            examiner.finish_grader(grader)
    job.close()
    with contextlib.suppress(SandboxError, OSError):
        parts.jobs.prepare_like(job)


def grade(
    exercise: Exercise, source: str | bytes, suite: Suite = "all", *, seed: int | None = None
) -> Verdict:
    """Grade one submission with a judge of its own. For more than one, keep a `Judge`."""
    with Judge() as judge:
        return judge.grade(exercise, source, suite, seed=seed)
