"""The supervisor's handle on the examiner zygote and on one process per exercise."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time

from judge.catalog import Exercise
from judge.control import Control
from judge.sandbox.bubblewrap import PROJECT, readable_folders
from judge.sandbox.client import (
    LOST,
    REPLY_SECONDS,
    START_SECONDS,
    Sandbox,
    SandboxError,
    thread_environment,
)


class BrokenTests(Exception):
    """An exercise's tests cannot be collected: for its author to mend."""


class Examiner:
    """One exercise's process, its tests collected. Safe to use from several threads."""

    def __init__(self, control: Control, digest: str) -> None:
        self.digest = digest
        self._control = control
        self._lock = threading.Lock()
        self._names: list[str] | None = None
        self._with_queues: frozenset[str] = frozenset()

    def names(self) -> list[str]:
        """The collected tests' names. Raises `BrokenTests`, `SandboxError`."""
        with self._lock:
            if self._names is None:
                first = self._receive(START_SECONDS)
                if "complaint" in first:
                    raise BrokenTests(first["complaint"])
                self._names = first["ready"]
                self._with_queues = frozenset(first["with_queues"])
            return self._names

    def any_uses_queues(self, names: list[str]) -> bool:
        """Whether one of these tests, known from `names`, has the fixture `queues`."""
        return not self._with_queues.isdisjoint(names)

    def start_grader(self, request: dict, descriptor: int) -> int:
        """Fork a grader that speaks on `descriptor`; its number."""
        with self._lock:
            return self._ask({"op": "grade", **request}, (descriptor,))["number"]

    def finish_grader(self, number: int) -> None:
        with self._lock:
            self._ask({"op": "finish", "number": number})

    def close(self) -> None:
        self._control.close()

    def _ask(self, message: dict, descriptors: tuple[int, ...] = ()) -> dict:
        try:
            self._control.send(message, descriptors)
        except OSError as error:
            raise SandboxError(f"the examiner has ended: {error}") from error
        return _granted(self._receive(REPLY_SECONDS))

    def _receive(self, seconds: float) -> dict:
        try:
            return self._control.receive(time.monotonic() + seconds)[0]
        except LOST as error:
            raise SandboxError(f"the examiner does not answer: {type(error).__name__}") from error


class Examiners:
    """The zygote, and the exercises' processes as they are asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Examiner] = {}
        self._control, theirs = Control.pair()
        start = (
            "import sys; sys.path.append(sys.argv[1]); from judge.examiner.zygote import main; "
            "main(int(sys.argv[2]), sys.argv[3])"
        )
        readable = json.dumps(readable_folders(str(PROJECT)))
        command = [sys.executable, "-I", "-c", start, str(PROJECT), str(theirs.fileno()), readable]
        with theirs:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **thread_environment()},
                stdin=subprocess.DEVNULL,
                # Ctrl-C is for the supervisor, which decides what ends and in which order.
                start_new_session=True,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._ready = self._broken = False

    def examiner(self, exercise: Exercise) -> Examiner:
        """The exercise's process, new if its files have changed since. Raises `SandboxError`."""
        digest = exercise.tests_digest
        with self._lock:
            known = self._open.get(exercise.id)
            if known is not None and known.digest == digest:
                return known
            if known is not None:
                known.close()
            control, theirs = Control.pair()
            files = dict.fromkeys(str(exercise.folder / test.file) for test in exercise.tests)
            request = {"files": list(files), "reference": str(exercise.reference)}
            with theirs:
                self._ask(request, (theirs.fileno(),))
            self._open[exercise.id] = Examiner(control, digest)
            return self._open[exercise.id]

    def clean_up_after(self, sandbox: Sandbox) -> None:
        """Should this process be killed, have the zygote remove what the sandbox leaves behind."""
        with self._lock, contextlib.suppress(OSError):
            self._control.send({"leftovers": sandbox.leftovers})

    def _ask(self, message: dict, descriptors: tuple[int, ...]) -> dict:
        try:
            if not self._ready:
                self._control.receive(time.monotonic() + START_SECONDS)
                self._ready = True
            self._control.send(message, descriptors)
            reply = self._control.receive(time.monotonic() + REPLY_SECONDS)[0]
        except LOST as error:
            # It may take its time to end; nobody waits for that with the next grading.
            self._broken = True
            raise SandboxError(f"the examiner does not start: {type(error).__name__}") from error
        return _granted(reply)

    def forget(self, exercise: Exercise) -> None:
        """Have the next grading of the exercise start its process anew."""
        with self._lock:
            known = self._open.pop(exercise.id, None)
        if known is not None:
            known.close()

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._broken or self._process.poll() is not None

    def close(self) -> None:
        with self._lock:
            for examiner in self._open.values():
                examiner.close()
            self._open.clear()
        with contextlib.suppress(OSError):
            self._control.send({"orderly": True})
        self._control.close()
        try:
            self._process.wait(REPLY_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _granted(reply: dict) -> dict:
    """The reply, unless it says why what was asked for could not be done."""
    if "error" in reply:
        raise SandboxError(f"the examiner says: {reply['error']}")
    return reply
