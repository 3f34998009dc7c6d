"""A grading's place in the sandbox, and a few such places made ahead so that none has to wait."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from judge.sandbox.client import Ended, Sandbox, SandboxError, Spawned

MAX_AHEAD = 3
SPARES = 2


@dataclass(frozen=True)
class JobLimits:
    """What each examinee of a job may use: megabytes beyond the zygote's own, seconds of CPU time,
    and whether it may bind and connect sockets."""

    memory_mb: int
    cpu_seconds: int
    uses_queues: bool


class Job:
    """Two folders for ipc sockets and the examinees that see them, and no others do."""

    def __init__(self, sandbox: Sandbox, limits: JobLimits) -> None:
        self.limits = limits
        self.sandbox = sandbox
        self.folders = sandbox.make_queue_folders()
        self.spawned = 0
        self._ahead: deque[Spawned] = deque()
        self._live: set[int] = set()

    @property
    def bound_by_learner(self) -> Path:
        return self.folders.bound_by_learner

    def prepare(self, count: int) -> None:
        """Fork `count` examinees ahead. Raises `SandboxError`."""
        for _ in range(count):
            self._ahead.append(self._spawn())

    def spawn(self) -> Spawned:
        """An examinee that waits for its first request. Raises `SandboxError`."""
        self.spawned += 1
        return self._ahead.popleft() if self._ahead else self._spawn()

    def _spawn(self) -> Spawned:
        limits = self.limits
        spawned = self.sandbox.spawn(
            self.folders,
            uses_queues=limits.uses_queues,
            memory_mb=limits.memory_mb,
            cpu_seconds=limits.cpu_seconds,
        )
        self._live.add(spawned.number)
        return spawned

    def trace(self, number: int) -> None:
        self.sandbox.trace(number)

    def finish(self, number: int, *, hung_up: bool) -> Ended:
        self._live.discard(number)
        return self.sandbox.finish(number, hung_up=hung_up)

    def drop(self) -> None:
        """Let go of what was forked ahead; the sandbox, which is about to close, ends it."""
        for spawned in self._ahead:
            spawned.close()

    def close(self) -> None:
        """End every examinee and remove the folders."""
        self.drop()
        with contextlib.suppress(SandboxError):
            for number in self._live:
                self.sandbox.finish(number)
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)


class Jobs:
    """Hands out jobs, and keeps some ready whose limits are those of the last one asked for."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._ready: deque[Job] = deque()
        self._closed = False

    def take(self, limits: JobLimits) -> Job:
        """A job of its own. Raises `SandboxError`, `OSError`."""
        with self._lock:
            job = self._ready.popleft() if self._ready and self._ready[0].limits == limits else None
        return job or Job(self._sandbox, limits)

    def prepare_like(self, done: Job) -> None:
        """Make jobs ready for gradings that need what `done` needed. Raises `SandboxError`, `OSError`."""
        with self._lock:
            stale = [job for job in self._ready if job.limits != done.limits]
            self._ready = deque(job for job in self._ready if job.limits == done.limits)
            missing = 0 if self._closed else SPARES - len(self._ready)
        for job in stale:
            job.close()
        for _ in range(missing):
            if self._closed:
                return
            job = Job(self._sandbox, done.limits)
            job.prepare(min(MAX_AHEAD, max(1, done.spawned)))
            with self._lock:
                self._ready.append(job)

    def stop(self) -> None:
        """Make no more jobs ready."""
        self._closed = True

    def close(self) -> None:
        """Let go of what was made ready, before the sandbox closes."""
        with self._lock:
            self._closed = True
            ready, self._ready = self._ready, deque()
        for job in ready:
            job.drop()
