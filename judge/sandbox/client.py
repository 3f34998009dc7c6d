"""The supervisor's handle on the examinee zygote."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from judge.control import Control
from judge.sandbox import bubblewrap
from judge.sandbox.bubblewrap import PROJECT

START_SECONDS = 60.0
REPLY_SECONDS = 10.0
LOST = (OSError, EOFError, TimeoutError, ValueError)
THREAD_SETTINGS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class SandboxError(Exception):
    """The judge's own machinery failed; never the learner's fault."""


def thread_environment() -> dict[str, str]:
    """Settings that keep the numerical libraries on one thread, as a process that forks must be."""
    kept = {k: v for k, v in os.environ.items() if k.startswith("OPENBLAS_")}
    # Each malloc arena reserves 64 MiB of address space, one per thread by default.
    return {**kept, **dict.fromkeys(THREAD_SETTINGS, "1"), "MALLOC_ARENA_MAX": "2"}


@dataclass(frozen=True)
class Spawned:
    """A live examinee: its number, and this side's ends of its wire, its output and its stack traces.

    Whoever takes the descriptors closes them.
    """

    number: int
    rpc: int
    output: int
    trace: int

    def close(self) -> None:
        for descriptor in (self.rpc, self.output, self.trace):
            os.close(descriptor)


@dataclass(frozen=True)
class QueueFolders:
    """Where one grading's ipc sockets are: the examiner's own, and those the learner's side binds."""

    bound_by_examiner: Path
    bound_by_learner: Path


class Sandbox:
    """One zygote and the walls around it. Safe to use from several threads.

    Raises `SandboxError` wherever the zygote does not answer as it must; the sandbox is then `broken`
    and has to be closed and replaced.
    """

    def __init__(self, *, allow_bubblewrap: bool = True) -> None:
        self.broken = False
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        # Directly in /tmp: an ipc path has room for little more than a hundred bytes.
        base = "/tmp" if os.access("/tmp", os.W_OK) else None
        self._queues = Path(tempfile.mkdtemp(prefix="mj-", dir=base))
        for name in ("bound-by-examiner", "bound-by-learner"):
            (self._queues / name).mkdir()
        why_not = bubblewrap.problem() if allow_bubblewrap else "bubblewrap is switched off"
        self.walled = why_not is None
        self.isolation = "bubblewrap" if self.walled else "unverified"
        self._control, theirs = Control.pair()
        self._process = self._launch(theirs)
        self._ready = False

    def _launch(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        code = bubblewrap.CODE_INSIDE if self.walled else str(PROJECT)
        start = (
            "import sys; sys.path.insert(0, sys.argv[1]); from judge.sandbox.zygote import main; "
            "main(int(sys.argv[2]), sys.argv[3])"
        )
        command = [
            sys.executable, "-I", "-c", start, code, str(theirs.fileno()),
            str(self._queues / "bound-by-learner"),
        ]  # fmt: skip
        environment = {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TMPDIR": "/tmp"}
        environment |= thread_environment()
        if self.walled:
            wall = bubblewrap.wall(self._queues)
            for name, value in environment.items():
                wall += ["--setenv", name, value]
            command = [*wall, *command]
        with theirs:
            return subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
            )

    def _request(self, message: dict, descriptors: tuple[int, ...] = ()) -> dict:
        with self._lock:
            self._await_ready()
            try:
                self._control.send(message, descriptors)
                reply, _ = self._control.receive(time.monotonic() + REPLY_SECONDS)
            except LOST as error:
                self.broken = True
                raise SandboxError(f"the sandbox does not answer: {self._why(error)}") from error
        if "error" in reply:
            raise SandboxError(reply["error"])
        return reply

    def wait_until_ready(self) -> None:
        """Wait for the zygote's imports, so that no learner's time goes into them."""
        with self._lock:
            self._await_ready()

    def _await_ready(self) -> None:
        if self.broken:
            raise SandboxError("the sandbox has ended")
        if self._ready:
            return
        try:
            self._control.receive(time.monotonic() + START_SECONDS)
        except LOST as error:
            self.broken = True
            raise SandboxError(f"the sandbox does not start: {self._why(error)}") from error
        self._ready = True

    def _why(self, error: BaseException) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        if self._process.returncode is None or self._process.stderr is None:
            return type(error).__name__
        said = self._process.stderr.read().decode(errors="replace").strip()
        return f"exit code {self._process.returncode}. {said[-2000:]}"

    def spawn(self, *, memory_mb: int, cpu_seconds: int) -> Spawned:
        """A new examinee that waits for its first request."""
        ours, theirs = socket.socketpair()
        (output, output_end), (trace, trace_end) = os.pipe(), os.pipe()
        request = {"op": "spawn", "memory_mb": memory_mb, "cpu_seconds": cpu_seconds}
        try:
            reply = self._request(request, (theirs.fileno(), output_end, trace_end))
        except SandboxError:
            ours.close()
            os.close(output)
            os.close(trace)
            raise
        finally:
            theirs.close()
            os.close(output_end)
            os.close(trace_end)
        return Spawned(reply["number"], ours.detach(), output, trace)

    def trace(self, number: int) -> None:
        """Have the examinee write where its threads stand to its trace pipe."""
        self._request({"op": "trace", "number": number})

    def finish(self, number: int, *, hung_up: bool = False) -> int | None:
        """End the examinee. Its exit code if it had ended by itself (negative: a signal), else None.

        `hung_up` says that its wire was closed from its side, so that it is probably about to end.
        """
        return self._request({"op": "finish", "number": number, "hung_up": hung_up})["exit"]

    @contextlib.contextmanager
    def queue_folders(self):
        """A grading's two folders for ipc sockets, removed afterwards."""
        name = str(next(self._numbers))
        folders = [self._queues / part / name for part in ("bound-by-examiner", "bound-by-learner")]
        for folder in folders:
            folder.mkdir()
        folders[1].chmod(0o777)
        try:
            yield QueueFolders(*folders)
        finally:
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """End the zygote and all it forked, and remove what it left."""
        self.broken = True
        self._control.close()
        try:
            self._process.wait(REPLY_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        shutil.rmtree(self._queues, ignore_errors=True)
