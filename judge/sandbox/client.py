"""The supervisor's handle on the examinee zygote."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.control import Control
from judge.sandbox import bubblewrap
from judge.sandbox.bubblewrap import PROJECT
from judge.sandbox.cgroups import Cgroups, Group

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
        """Close this side's ends."""
        for descriptor in (self.rpc, self.output, self.trace):
            os.close(descriptor)


@dataclass(frozen=True)
class Ended:
    """How an examinee ended: its exit code if it did so by itself (negative: a signal), else None."""

    exit_code: int | None
    out_of_memory: bool


@dataclass(frozen=True)
class QueueFolders:
    """Where one grading's ipc sockets are: the examiner's own, and those the learner's side binds."""

    bound_by_examiner: Path
    bound_by_learner: Path

    def __iter__(self) -> Iterator[Path]:
        return iter((self.bound_by_examiner, self.bound_by_learner))


class Sandbox:
    """One zygote and the walls around it. Safe to use from several threads.

    `refuse` names walls to do without (`bubblewrap`, `landlock`, `seccomp`, `cgroups`), to see what a
    machine without them does. Raises `SandboxError` wherever the zygote does not answer as it must;
    the sandbox is then `broken` and has to be closed and replaced.
    """

    def __init__(self, *, refuse: Collection[str] = ()) -> None:
        self.broken = False
        self._refuse = list(refuse)
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._groups: dict[int, Group] = {}
        self._ending: deque[Group] = deque()
        self._ready = False
        self.folder = _make_folder()
        for name in ("bound-by-examiner", "bound-by-learner"):
            (self.folder / name).mkdir()
        self._cgroups, self.problems = _cgroups(refuse)
        why_not = "switched off" if "bubblewrap" in refuse else bubblewrap.problem()
        self.problems["bubblewrap"] = why_not
        self._control, theirs = Control.pair()
        self._process = self._launch(theirs, walled=why_not is None)

    def _launch(self, theirs: socket.socket, *, walled: bool) -> subprocess.Popen[bytes]:
        code = bubblewrap.CODE_INSIDE if walled else str(PROJECT)
        start = (
            "import sys; sys.path.append(sys.argv[1]); from judge.sandbox.zygote import main; "
            "main(int(sys.argv[2]), sys.argv[3])"
        )
        readable = bubblewrap.readable_folders(code)
        settings = {"readable": readable, "walled": walled, "refuse": self._refuse}
        descriptor = theirs.fileno()
        command = [sys.executable, "-I", "-c", start, code, str(descriptor), json.dumps(settings)]
        environment = {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TMPDIR": "/tmp"}
        environment |= thread_environment()
        if walled:
            wall = bubblewrap.wall(self.folder)
            for name, value in environment.items():
                wall += ["--setenv", name, value]
            command = [*wall, *command]
        with theirs:
            return subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                # Ctrl-C is for the supervisor, which decides what ends and in which order.
                start_new_session=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[descriptor],
            )

    def _request(self, message: dict, descriptors: Sequence[int] = ()) -> dict:
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

    @property
    def tier(self) -> int:
        """How strong the walls are, 1 to 4 (see docs/architecture.md). Known once it is ready."""
        walls = self.problems
        if walls["seccomp"] is not None:
            return 4
        if walls["namespaces"] is None:
            return 1 if walls["cgroups"] is None else 2
        return 3 if walls["landlock"] is None else 4

    @property
    def isolation(self) -> str:
        """The tier and the walls that stand, for the verdict."""
        standing = [name for name, problem in self.problems.items() if problem is None]
        weak = ", unverified" if self.tier == 4 else ""
        return f"tier {self.tier}{weak} ({', '.join(standing) or 'no walls'})"

    @property
    def process_id(self) -> int:
        """The outermost process, for whoever wants to look at what it uses."""
        return self._process.pid

    @property
    def leftovers(self) -> dict[str, list[str]]:
        """What stays behind if this process is killed: folders of files and of control groups."""
        groups = [] if self._cgroups is None else [str(f) for f in self._cgroups.folders]
        return {"folders": [str(self.folder)], "groups": groups}

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
            ready, _ = self._control.receive(time.monotonic() + START_SECONDS)
        except LOST as error:
            self.broken = True
            raise SandboxError(f"the sandbox does not start: {self._why(error)}") from error
        self.problems |= ready["walls"]
        self._ready = True

    def _why(self, error: BaseException) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        if self._process.returncode is None or self._process.stderr is None:
            return type(error).__name__
        said = self._process.stderr.read().decode(errors="replace").strip()
        return f"exit code {self._process.returncode}. {said[-2000:]}"

    def spawn(
        self, folders: QueueFolders, *, uses_queues: bool, memory_mb: int, cpu_seconds: int
    ) -> Spawned:
        """A new examinee that waits for its first request; it sees those queue folders and no others.

        Unless it `uses_queues`, it can neither bind a socket nor connect one.
        """
        ours, theirs = socket.socketpair()
        (output, output_end), (trace, trace_end) = os.pipe(), os.pipe()
        handed = [theirs.fileno(), output_end, trace_end]
        request = {
            "op": "spawn",
            "memory_mb": memory_mb,
            "cpu_seconds": cpu_seconds,
            "uses_queues": uses_queues,
            "queues": [str(folder) for folder in folders],
        }
        group = None
        try:
            if self._cgroups is not None:
                name = str(next(self._numbers))
                group = self._cgroups.group(name, memory_bytes=memory_mb * 2**20)
                handed += group.open_members()
            number = self._request(request, handed)["number"]
        except (SandboxError, OSError) as error:
            ours.close()
            os.close(output)
            os.close(trace)
            if group is not None:
                group.remove()
            raise SandboxError(str(error)) from error
        finally:
            theirs.close()
            for descriptor in handed[1:]:
                os.close(descriptor)
        if group is not None:
            self._groups[number] = group
        return Spawned(number, ours.detach(), output, trace)

    def trace(self, number: int) -> None:
        """Have the examinee write where its threads stand to its trace pipe."""
        self._request({"op": "trace", "number": number})

    def finish(self, number: int, *, hung_up: bool = False) -> Ended:
        """End the examinee. `hung_up`: its wire was closed from its side, so it is about to end."""
        request = {"op": "finish", "number": number, "hung_up": hung_up}
        group = self._groups.pop(number, None)
        try:
            exit_code = self._request(request)["exit"]
            return Ended(exit_code, group is not None and group.ran_out_of_memory())
        finally:
            if group is not None:
                self._ending.append(group)
            self._remove_ended()

    def _remove_ended(self) -> None:
        """Remove the groups of examinees that are gone by now; the zygote does not wait for each."""
        for _ in range(len(self._ending)):
            try:
                group = self._ending.popleft()
            except IndexError:  # another thread was faster
                return
            if not group.remove():
                self._ending.append(group)

    def make_queue_folders(self) -> QueueFolders:
        """A grading's two folders for ipc sockets; whoever asks for them removes them."""
        # Landlock hides folders, but whoever guesses a socket's path could still connect to it.
        name = f"{next(self._numbers)}-{os.urandom(8).hex()}"
        folders = [self.folder / part / name for part in ("bound-by-examiner", "bound-by-learner")]
        for folder in folders:
            folder.mkdir()
        return QueueFolders(*folders)

    def hang_up(self) -> None:
        """Have the zygote end, without waiting for it; `close` does."""
        self.broken = True
        self._control.close()

    def close(self) -> None:
        """End the zygote and all it forked, and remove what it left."""
        self.hang_up()
        try:
            self._process.wait(REPLY_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        for group in [*self._groups.values(), *self._ending]:
            group.remove()
        if self._cgroups is not None:
            self._cgroups.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _make_folder() -> Path:
    # Directly in /tmp: an ipc path has room for little more than a hundred bytes.
    base = "/tmp" if os.access("/tmp", os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix=f"mj-{os.getpid()}-", dir=base))


def _cgroups(refuse: Collection[str]) -> tuple[Cgroups | None, dict[str, str | None]]:
    if "cgroups" in refuse:
        return None, {"cgroups": "switched off"}
    try:
        return Cgroups(), {"cgroups": None}
    except OSError as error:
        return None, {"cgroups": f"control groups cannot be made here: {error}"}
