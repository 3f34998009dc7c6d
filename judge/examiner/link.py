"""The examiner's end of one examinee: requests out, replies in, output and stack traces collected."""

from __future__ import annotations

import os
import select
import socket
import time
from typing import Any, Protocol

from judge import wire
from judge.examiner import problems
from judge.examiner.replies import Replies
from judge.examiner.submission import Submission

MAX_OUTPUT = 32 * 1024 * 1024
KEPT_OUTPUT = 16 * 1024
TRACE_SECONDS = 0.2
START_SECONDS = 10.0


class Supervisor(Protocol):
    """What only the supervisor can do, as the examiner asks for it."""

    def spawn(self) -> tuple[int, list[int]]: ...
    def trace(self, number: int) -> None: ...
    def finish(self, number: int, hung_up: bool) -> tuple[int | None, bool]: ...


class Output:
    """What a test's examinees printed: the first part is kept, the rest counted."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._total = 0

    def add(self, data: bytes) -> None:
        self._total += len(data)
        self._kept += data[: max(0, KEPT_OUTPUT - len(self._kept))]

    @property
    def flooded(self) -> bool:
        return self._total > MAX_OUTPUT

    def take(self) -> tuple[str, bool]:
        """The text since the last call, with odd bytes escaped, and whether it was cut."""
        text = bytes(self._kept).decode("utf-8", "backslashreplace")
        cut = self._total > len(self._kept)
        self._kept.clear()
        self._total = 0
        return text, cut


class Link:
    """One examinee with the learner's module loaded in it."""

    def __init__(
        self,
        supervisor: Supervisor,
        output: Output,
        submission: Submission,
        classes: list[type],
        test_seconds: float,
    ) -> None:
        self._test_seconds = test_seconds
        self._supervisor, self._output, self._submission = supervisor, output, submission
        self.number, (rpc, self._pipe, self._trace) = supervisor.spawn()
        self._socket = socket.socket(fileno=rpc)
        self._socket.setblocking(False)
        os.set_blocking(self._pipe, False)
        os.set_blocking(self._trace, False)
        self._frames = wire.FrameReader()
        self._replies = Replies(submission.display, classes)
        self._pipe_open = True
        self.alive = True
        # Whether a probe has been in it: what it left on `here` has to go before the next test.
        self.touched = False
        self._greet()

    def _greet(self) -> None:
        """Hear from the examinee before any learner's code is in it: what fails now is the judge's."""
        try:
            self.ask(time.monotonic() + START_SECONDS, "reset")
        except problems.LearnerProblem as problem:
            said, _ = self._output.take()
            raise RuntimeError(f"the examinee does not start: {problem} {said}".strip()) from None

    def ask(self, deadline: float, op: str, **fields: Any) -> Any:
        """One request and its value. Raises `LearnerProblem` for whatever the learner's side does."""
        if not self.alive:
            raise problems.crash(None, False)
        self.touched = self.touched or op in ("run", "start")
        request = self._replies.request(op, fields)
        try:
            self._write(request, deadline)
            reply = self._read(deadline)
        except TimeoutError:
            line = self.where()
            self.close()
            raise problems.timeout(self._test_seconds, line) from None
        except (EOFError, ConnectionError):
            self._drain()
            raise problems.crash(*self.close(hung_up=True)) from None
        except wire.WireError as error:
            self.close()
            raise problems.Forged(str(error)) from None
        return self._value(reply)

    def _value(self, reply: Any) -> Any:
        try:
            return self._replies.value(reply)
        except problems.Forged:
            self.close()
            raise

    def _write(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[self._socket.send(view) :]
            except BlockingIOError:
                self._wait(deadline, select.POLLOUT)

    def _read(self, deadline: float) -> Any:
        while True:
            frame = self._frames.next_frame()
            if frame is not None:
                self._drain()
                return self._replies.decode(*frame)
            try:
                data = self._socket.recv(1 << 18)
            except BlockingIOError:
                self._wait(deadline, select.POLLIN)
                continue
            if not data:
                raise EOFError
            self._frames.feed(data)

    def _wait(self, deadline: float, events: int) -> None:
        """Until the wire is ready; the output is taken meanwhile, or a full pipe would stop the learner."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            poll = select.poll()
            poll.register(self._socket, events)
            if self._pipe_open:
                poll.register(self._pipe, select.POLLIN)
            ready = {descriptor for descriptor, _ in poll.poll(left * 1000)}
            if self._pipe in ready:
                self._drain()
            if self._socket.fileno() in ready:
                return

    def descriptors(self) -> list[int]:
        """What becomes readable when the examinee prints or ends, for waits at a queue."""
        return (
            [self._socket.fileno(), *([self._pipe] if self._pipe_open else [])]
            if self.alive
            else []
        )

    def attend(self) -> None:
        """Take output; raise `LearnerProblem` if the examinee has ended or speaks out of turn."""
        self._drain()
        try:
            data = self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        ended = self.close(hung_up=not data)
        raise problems.Forged("an answer to no question") if data else problems.crash(*ended)

    def _drain(self) -> None:
        while self._pipe_open:
            try:
                data = os.read(self._pipe, 1 << 16)
            except BlockingIOError:
                return
            self._output.add(data)
            self._pipe_open = bool(data)
            if self._output.flooded:
                self.close()
                raise problems.flood(MAX_OUTPUT)

    def where(self) -> Any:
        """The line at which the learner's code stands now, or None."""
        if not self.alive:
            return None
        self._supervisor.trace(self.number)
        end, stacks = time.monotonic() + TRACE_SECONDS, b""
        while (left := end - time.monotonic()) > 0 and len(stacks) < 1 << 18:
            if not select.select([self._trace], [], [], left)[0]:
                break
            data = os.read(self._trace, 1 << 16)
            stacks += data
            if not data:
                break
            line = self._line(stacks)
            if line is not None:
                return line
        return self._line(stacks)

    def _line(self, stacks: bytes) -> Any:
        text = stacks.decode("utf-8", "replace")
        return problems.line_in_stacks(text, self._submission.display, self._submission.source)

    def close(self, *, hung_up: bool = False) -> tuple[int | None, bool]:
        """End the examinee; its exit code if it had ended by itself, and whether memory ran out.

        Once more does nothing.
        """
        if not self.alive:
            return None, False
        self.alive = False
        try:
            return self._supervisor.finish(self.number, hung_up)
        finally:
            self._socket.close()
            os.close(self._pipe)
            os.close(self._trace)
            self._pipe_open = False
