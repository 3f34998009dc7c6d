"""A grading worker's process: one warm `Judge`, and threads that claim, grade and write.

It ends when the server's end of its socket closes, also when the server was killed. Whatever goes
wrong outside a grading ends the process: the server gives back what it held and starts another.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator

from judge.grade import Judge, SandboxError
from judge.texts import visible
from judge.verdict import Outcome, TestResult
from web.site import claims, verdicts
from web.site.claims import Claim
from web.site.course import Course
from web.site.database import Database
from web.site.messages import (
    Changed,
    Claimed,
    Message,
    Ready,
    Refused,
    Start,
    decode_start,
    encode,
)

# How long a call may be missed before the queue is looked at all the same.
POLL_SECONDS = 1.0
END_SECONDS = 10.0
PARENT_GONE, BROKEN = 0, 1


class Worker:
    """Grades for one server. `run` returns the process's exit code."""

    def __init__(self, start: Start, line: socket.socket) -> None:
        self._name, self._settings = start.name, start.settings
        self._line = line
        self._sending = threading.Lock()
        self._calls = threading.Condition()
        self._called = 0
        self._stopping = threading.Event()
        self._broken = False
        self._course = Course(self._settings.root)
        self._database = Database(self._settings.database)

    def run(self) -> int:
        judge = Judge(require_tier=self._settings.require_tier)
        threads: list[threading.Thread] = []
        try:
            self._send(Ready(judge.sandbox().isolation))
            work = [self._grade_until_stopped] * self._settings.gradings
            for target in [*work, self._warm_up]:
                threads.append(threading.Thread(target=self._guard, args=(target, judge)))
                threads[-1].start()
            self._listen()
        except SandboxError as problem:
            self._send(Refused(str(problem)))
        finally:
            self._end(judge, threads)
        return BROKEN if self._broken else PARENT_GONE

    def _listen(self) -> None:
        """Pass calls on to the threads until the server hangs up or this worker must end."""
        while not self._stopping.is_set():
            try:
                called = self._line.recv(4096)
            except OSError:
                called = b""
            if not called:
                return
            self._call()

    def _call(self) -> None:
        with self._calls:
            self._called += 1
            self._calls.notify_all()

    def _guard(self, target: Callable[[Judge], None], judge: Judge) -> None:
        try:
            target(judge)
        except Exception:
            if not self._stopping.is_set():
                traceback.print_exc()
                self._broken = True
                self._stopping.set()
                # `_listen` waits there, and so it wakes.
                with contextlib.suppress(OSError):
                    self._line.shutdown(socket.SHUT_RD)

    def _grade_until_stopped(self, judge: Judge) -> None:
        while not self._stopping.is_set():
            # Before the look into the database: a call that comes meanwhile is not overlooked.
            with self._calls:
                seen = self._called
            claim, reused = self._claim()
            if claim is None:
                self._wait_for_call(seen)
                continue
            self._send(Claimed(claim.number))
            if not reused:
                self._grade(judge, claim)
            self._send(Changed(claim.number))
            # The learner's next one may have waited for this, and another thread may have time.
            self._call()

    def _wait_for_call(self, seen: int) -> None:
        """Wait until there were more calls than `seen`, for a moment at most."""
        with self._calls:
            self._calls.wait_for(
                lambda: self._called != seen or self._stopping.is_set(), POLL_SECONDS
            )

    def _claim(self) -> tuple[Claim | None, bool]:
        """The next submission, if there is one, and whether its verdict was known already."""
        with self._database.read() as session:
            # Most looks find nothing, and need not make the server wait for its turn to write.
            if not claims.any_waiting(session):
                return None, False
        with self._database.write() as session:
            claim = claims.claim_next(session, self._name)
            if claim is None:
                return None, False
            return claim, claims.reuse_earlier(session, claim, self._settings.require_tier)

    def _grade(self, judge: Judge, claim: Claim) -> None:
        exercise = self._course.find(claim.exercise)
        if exercise is None:
            verdict = verdicts.internal(claim.exercise, claim.suite, verdicts.GONE)
        else:
            with _Results(self._database, claim, lambda: self._send(Changed(claim.number))) as keep:
                verdict = judge.grade(exercise, claim.source, claim.suite, on_result=keep)
        if self._stopping.is_set():
            # Whatever a grading makes of its judge being closed under it, it is no verdict.
            return
        if verdict.message and verdict.verdict is Outcome.INTERNAL:
            # A learner's words must not reach the operator's terminal as commands.
            why = visible(verdict.message)
            print(f"{claim.exercise} could not be graded: {why}", file=sys.stderr)
        with self._database.write() as session:
            claims.finish(session, claim, verdict)

    def _warm_up(self, judge: Judge) -> None:
        """Grade each reference solution once, so that no learner waits for an exercise's first start."""
        for exercise in self._course.exercises:
            if self._stopping.is_set():
                return
            # A file that has gone since loading is for the grading to tell.
            with contextlib.suppress(OSError):
                judge.grade(exercise, exercise.solution, "example")

    def _send(self, message: Message) -> None:
        with self._sending, contextlib.suppress(OSError):
            self._line.sendall(encode(message))

    def _end(self, judge: Judge, threads: list[threading.Thread]) -> None:
        self._stopping.set()
        self._call()
        # The gradings change what `close` goes through; the next round closes the rest.
        for _ in _rounds(threads):
            with contextlib.suppress(RuntimeError, OSError, ValueError):
                judge.close()
        judge.close()
        if not self._broken:
            with self._database.write() as session:
                claims.release(session, self._name)
        self._database.close()


class _Results:
    """Writes one grading's results as they come, in a thread of its own: the judge never waits for it."""

    def __init__(self, database: Database, claim: Claim, told: Callable[[], None]) -> None:
        self._database, self._claim, self._told = database, claim, told
        self._come: queue.SimpleQueue[TestResult | None] = queue.SimpleQueue()
        self._problem: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="results")

    def __enter__(self) -> Callable[[TestResult], None]:
        self._thread.start()
        return self._come.put

    def __exit__(self, *_: object) -> None:
        """Wait until all is written. Raises what went wrong with that."""
        self._come.put(None)
        self._thread.join()
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        try:
            position = 1
            while (results := self._take()) is not None:
                with self._database.write() as session:
                    claims.note_results(session, self._claim, position, results)
                position += len(results)
                self._told()
        except Exception as problem:
            self._problem = problem

    def _take(self) -> list[TestResult] | None:
        """All that have come since the last time, at least one; None at the end.

        What has not been written when the verdict comes need not be: the verdict holds it.
        """
        results: list[TestResult] = []
        while not results or not self._come.empty():
            result = self._come.get()
            if result is None:
                return None
            results.append(result)
        return results


def _rounds(threads: list[threading.Thread]) -> Iterator[None]:
    for _ in range(int(END_SECONDS / 0.05)):
        if not any(thread.is_alive() for thread in threads):
            return
        yield
        for thread in threads:
            thread.join(0.05)


def main(descriptor: int) -> None:
    """The process's whole life. `descriptor` is its end of the socket to the server."""
    # The server decides what ends and in which order, also if somebody asks all processes to end.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    words = sys.stdin.buffer.readline()
    if not words:  # the server is gone before it could say anything
        return
    start = decode_start(words)
    with socket.socket(fileno=descriptor) as line:
        code = Worker(start, line).run()
    sys.stdout.flush()
    sys.stderr.flush()
    # A grading's thread that does not end must not keep the process.
    os._exit(code)
