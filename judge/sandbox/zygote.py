"""The examinee zygote: imports the libraries once, then forks an examinee per request.

Single-threaded and free of secrets. Every request is answered before the next one is read.
"""

from __future__ import annotations

import asyncio  # noqa: F401 - imported ahead so that forks need not
import contextlib
import gc
import json
import os
import queue  # noqa: F401
import random
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import msgpack  # noqa: F401
import numpy
import numpy.random  # numpy alone does not import it, and each fork would
import torch
import zmq
import zmq.asyncio

from judge.control import Control
from judge.examinee import serve
from judge.sandbox import confine, limits, namespaces, pages
from judge.sandbox.cgroups import MAX_TASKS
from judge.sandbox.watch import Usage

EXIT_AFTER_SETUP_FAILED = 97
END_SECONDS = 0.2
LOOK_SECONDS = 0.05
IDLE_SECONDS = 0.02
# The wire, the output and the trace; what comes after them are an examinee's control groups.
WITHOUT_GROUPS = 3
DONE = object()


def warm_up() -> None:
    """Make torch do once what the first use in each fork would pay for, on this one thread."""
    # A parallel operation would leave a thread pool behind that no fork inherits: they would hang.
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    torch.ones(4, 4) @ torch.ones(4, 4)
    torch.frombuffer(bytearray(8), dtype=torch.float32).reshape(2, 1).view(torch.uint8).numpy()
    repr(torch.ones(2, 2))


class Zygote:
    """Forks examinees and reports how they ended."""

    def __init__(self, control: Control, walls: confine.Walls, readable: list[str]) -> None:
        self._control, self._walls, self._readable = control, walls, readable
        self._children: dict[int, int] = {}
        self._killed: set[int] = set()
        self._watched: dict[int, Usage] = {}
        self._look_at = 0.0
        self._next = 0
        self._memory = limits.memory_in_use()
        self._gathering: Iterator[None] | None = pages.gather()

    def run(self) -> None:
        """Serve until the supervisor hangs up, then leave no examinee behind."""
        operations = {"spawn": self._spawn, "trace": self._trace, "finish": self._finish}
        with contextlib.suppress(OSError):  # closed before it was ever used
            self._control.send({"ready": True, "walls": self._walls.report()})
        while True:
            try:
                request, descriptors = self._next_request()
            except EOFError:
                break
            try:
                reply = operations[request["op"]](request, descriptors)
            except OSError as error:
                reply = {"error": f"{request['op']}: {error}"}
            for descriptor in descriptors:
                os.close(descriptor)
            self._control.send(reply)
        for number in list(self._children):
            self._finish({"number": number}, [])
        self._reap(0)

    def _next_request(self) -> tuple[dict[str, Any], list[int]]:
        while True:
            try:
                return self._control.receive(self._due())
            except TimeoutError:
                if self._watched:
                    self._end_thread_bombs()
                else:
                    self._gather_memory()

    def _due(self) -> float | None:
        """Until when to wait for a request before something else is to be done."""
        if self._watched:
            return self._look_at
        return time.monotonic() + IDLE_SECONDS if self._gathering is not None else None

    def _gather_memory(self) -> None:
        """One step of it, as nobody asks for anything."""
        if self._gathering is not None and next(self._gathering, DONE) is DONE:
            self._gathering = None

    def _end_thread_bombs(self) -> None:
        """Do what a control group does by itself: thousands of threads starve the whole machine."""
        for number, usage in self._watched.items():
            if usage.threads > MAX_TASKS:
                os.kill(self._children[number], signal.SIGKILL)
        self._look_at = time.monotonic() + LOOK_SECONDS

    def _spawn(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        own_pids = self._walls.namespaces is None
        place = namespaces.next_fork_in_new_pid_namespace if own_pids else contextlib.nullcontext
        with place():
            pid = os.fork()
            if pid == 0:
                self._become_examinee(request, descriptors)
        self._next += 1
        self._children[self._next] = pid
        if len(descriptors) == WITHOUT_GROUPS:
            self._watched[self._next] = Usage(pid)
        return {"number": self._next}

    def _trace(self, request: dict[str, Any], _: list[int]) -> dict[str, Any]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._children[request["number"]], signal.SIGUSR1)
        return {}

    def _finish(self, request: dict[str, Any], _: list[int]) -> dict[str, Any]:
        """Kill the examinee if it still lives; how it ended by itself, else None."""
        pid = self._children.pop(request["number"])
        if request["number"] in self._watched:
            self._watched.pop(request["number"]).close()
        if request.get("hung_up"):
            _wait_for_end(pid)
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return {"exit": os.waitstatus_to_exitcode(status)}
        os.kill(pid, signal.SIGKILL)
        # Taking down its namespaces takes the kernel milliseconds; nobody has to wait for that.
        self._killed.add(pid)
        self._reap(os.WNOHANG)
        return {"exit": None}

    def _reap(self, how: int) -> None:
        for pid in list(self._killed):
            if os.waitpid(pid, how)[0]:
                self._killed.discard(pid)

    def _become_examinee(self, request: dict[str, Any], descriptors: list[int]) -> None:
        """In the fork: put up the walls, then serve. Never returns."""
        try:
            rpc, output, trace, *groups = descriptors
            limits.die_with_parent()
            for group in groups:
                os.write(group, b"0")
            os.setsid()
            null = os.open(os.devnull, os.O_RDONLY)
            os.dup2(null, 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            _close_all_but({0, 1, 2, rpc, trace})
            _fresh_streams()
            serve.report_stacks_to(trace)
            # Forks share their parent's generators: without this all submissions draw alike.
            random.seed()
            numpy.random.seed()
            # Not torch.seed: that also notes the whole call stack for GPUs.
            torch.default_generator.seed()
            alone = self._walls.namespaces is None
            if not alone and os.getuid() == 0:
                alone = limits.become_a_user_to_count(self._next)
            scratch = confine.confine_examinee(
                self._walls, self._readable, request["queues"], uses_queues=request["uses_queues"]
            )
            os.environ.clear()
            os.environ.update(HOME=scratch, TMPDIR=scratch, LANG="C.UTF-8", OMP_NUM_THREADS="1")
            os.chdir(scratch)
            limits.apply(
                memory_mb=request["memory_mb"],
                cpu_seconds=request["cpu_seconds"],
                base=self._memory,
                tasks=MAX_TASKS if alone else None,
            )
            gc.enable()
            serve.main(rpc)
        except BaseException as error:  # the examiner reads why from the exit code
            with contextlib.suppress(OSError):
                os.write(2, f"the sandbox failed: {error!r}\n".encode())
        finally:
            os._exit(EXIT_AFTER_SETUP_FAILED)


def _wait_for_end(pid: int) -> None:
    """A process that ends closes its files first: give it the moment until it can be waited for."""
    if hasattr(os, "pidfd_open"):
        descriptor = os.pidfd_open(pid)
        try:
            select.select([descriptor], [], [], END_SECONDS)
        finally:
            os.close(descriptor)


def _close_all_but(keep: set[int]) -> None:
    start = 0
    for descriptor in [*sorted(keep), os.sysconf("SC_OPEN_MAX")]:
        if start < descriptor:
            os.closerange(start, descriptor)
        start = descriptor + 1


def _fresh_streams() -> None:
    """New text streams on the output pipe, so that nothing the zygote buffered comes out."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        # By lines, as on a terminal: what was printed before a hang is there to be read.
        stream = open(  # noqa: SIM115
            number, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115


def main(descriptor: int, settings: str) -> None:
    """Entry of the zygote's process.

    `descriptor` is its end of the control connection; `settings` is JSON with `readable`, the folders
    that Python needs, and `walled`, whether bubblewrap is around this process.
    """
    # Ctrl-C reaches the whole process group; the supervisor decides what ends and in which order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.dont_write_bytecode = True
    chosen = json.loads(settings)
    walls = confine.probe(try_namespaces=chosen["walled"], refuse=chosen["refuse"])
    warm_up()
    zmq.zmq_version()
    if threading.active_count() != 1:
        raise RuntimeError("the zygote must have one thread only")
    gc.collect()
    gc.freeze()
    Zygote(Control(socket.socket(fileno=descriptor)), walls, chosen["readable"]).run()
    # Not through the end of the interpreter, which takes torch apart for a quarter of a second.
    os._exit(0)
