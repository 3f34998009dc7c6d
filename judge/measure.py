"""What judging costs on this machine: time, throughput, memory, and the way through the walls.

Ratios come from one run on one machine, because absolute times differ between machines and hours.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from judge.catalog import Exercise
from judge.grade import Judge
from judge.sandbox.bubblewrap import PROJECT
from judge.sandbox.jobs import Job, JobLimits
from judge.texts import Text

FRESH_TIMEOUT_SECONDS = 120
STUB_VERDICTS = 3
LIVE_EXAMINEES = 4
ROUND_TRIPS = 300
REPLY_SECONDS = 30
Say = Callable[[Text], None]


class ExerciseCost(msgspec.Struct):
    """Milliseconds of a verdict and of plain pytest on the same tests; `ratio` is fresh / warm.

    `stub_ms` is the verdict on the stub, which fails about every test: failing should cost no more.
    """

    exercise: str
    tests: int
    warm_ms: float
    warm_p95_ms: float
    stub_ms: float
    fresh_ms: float
    ratio: float


class Costs(msgspec.Struct):
    """`round_trip_*_us`: microseconds for one message there and back through ipc sockets.

    Memory is proportional set size in MiB: pages that processes share are counted once.
    """

    isolation: str
    exercises: list[ExerciseCost]
    verdicts_per_second_1_worker: float
    verdicts_per_second_2_workers: float
    examinee_zygote_mib: float
    examiner_zygote_mib: float
    live_examinee_mib: float
    round_trip_inside_us: float
    round_trip_outside_us: float


class MeasurementFailed(Exception):
    """A reference solution did not pass, or a process did not answer."""


def measure(exercises: tuple[Exercise, ...], *, warm: int, fresh: int, say: Say) -> Costs:
    """Everything, one after the other. Raises `MeasurementFailed`, `SandboxError`."""
    rows = []
    with Judge() as judge:
        for exercise in exercises:
            say(
                Text(
                    f"{exercise.id}: {warm} verdicts, {fresh} times plain pytest",
                    f"{exercise.id}：评测 {warm} 次，直接运行 pytest {fresh} 次",
                )
            )
            rows.append(_exercise_cost(judge, exercise, warm, fresh))
        say(Text("verdicts per second", "每秒评测数"))
        quickest = min(exercises, key=lambda e: next(r.warm_ms for r in rows if r.exercise == e.id))
        rates = [_rate(judge, quickest, workers) for workers in (1, 2)]
    say(Text("memory and round trips", "内存与往返时间"))
    with Judge() as judge:  # a new one: nothing is forked ahead that would count, too
        isolation = judge.sandbox().isolation
        inside = _round_trip_inside(judge)
        memory = _memory(judge)
    outside = _round_trip_outside()
    return Costs(isolation, rows, *rates, *memory, inside, outside)


def _exercise_cost(judge: Judge, exercise: Exercise, warm: int, fresh: int) -> ExerciseCost:
    _passing(judge, exercise, 0)  # starts the processes
    warm_times = []
    for seed in range(1, warm + 1):
        judge.wait_until_idle()  # a verdict on a judge that does nothing else; the rate comes below
        warm_times.append(_passing(judge, exercise, seed))
    warm_times.sort()
    stub_times = []
    for seed in range(1, STUB_VERDICTS + 1):
        judge.wait_until_idle()
        stub_times.append(judge.grade(exercise, exercise.stub, seed=seed).duration_ms)
    fresh_times = [fresh_pytest(exercise) for _ in range(fresh)]
    warm_ms, fresh_ms = statistics.median(warm_times), statistics.median(fresh_times)
    p95 = warm_times[min(len(warm_times) - 1, round(0.95 * len(warm_times)))]
    return ExerciseCost(
        exercise.id,
        len(exercise.tests),
        round(warm_ms, 1),
        round(p95, 1),
        round(statistics.median(stub_times), 1),
        round(fresh_ms, 1),
        round(fresh_ms / warm_ms, 1),
    )


def _passing(judge: Judge, exercise: Exercise, seed: int) -> float:
    verdict = judge.grade(exercise, exercise.solution, seed=seed)
    if not verdict.passed:
        raise MeasurementFailed(
            f"{exercise.id} does not pass: {verdict.message or verdict.verdict}"
        )
    return verdict.duration_ms


def fresh_pytest(exercise: Exercise) -> float:
    """Milliseconds of a whole `python -m pytest` on the exercise's tests, without any isolation."""
    files = dict.fromkeys(str(exercise.folder / test.file) for test in exercise.tests)
    command = [
        sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(exercise.folder),
        "-p", "no:cacheprovider", "-p", "judge.examiner.direct",
        "--solution", str(exercise.solution_path), *files,
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": f"{PROJECT}{os.pathsep}{exercise.reference}"}
    started = time.perf_counter()
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=FRESH_TIMEOUT_SECONDS
    )
    if done.returncode:
        raise MeasurementFailed(f"{exercise.id}: plain pytest fails:\n{done.stdout[-2000:]}")
    return (time.perf_counter() - started) * 1000


def _rate(judge: Judge, exercise: Exercise, workers: int, count: int = 40) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda seed: _passing(judge, exercise, seed), range(count)))
    return round(count / (time.perf_counter() - started), 1)


def _memory(judge: Judge) -> tuple[float, float, float]:
    """MiB of the examinee zygote, of the examiner zygote, and of one more live examinee."""
    if sys.platform != "linux":
        return (float("nan"),) * 3
    sandbox = judge.sandbox()
    job = Job(sandbox, JobLimits(1024, 60, uses_queues=True))
    try:
        before = tree_mib(sandbox.process_id)
        talks = [_Talk(job) for _ in range(LIVE_EXAMINEES)]
        live = tree_mib(sandbox.process_id)
        for talk in talks:
            talk.close()
    finally:
        job.close()
    examiner = tree_mib(judge.examiner_process_id)
    return round(before, 1), round(examiner, 1), round((live - before) / LIVE_EXAMINEES, 1)


def tree_mib(pid: int) -> float:
    """Proportional set size of a process and all below it; NaN if this user may not look."""
    total = 0.0
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) / 1024
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except PermissionError:
        return float("nan")
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return total
    return total + sum(tree_mib(int(child)) for child in children)


ECHO = """
def echo(here, pull_from, push_to, count):
    import zmq
    context = zmq.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.connect(pull_from)
    push.connect(push_to)
    for _ in range(count):
        push.send(pull.recv())
    pull.close()
    push.close()
    context.term()
"""


def _round_trip_inside(judge: Judge) -> float:
    job = Job(judge.sandbox(), JobLimits(1024, 60, uses_queues=True))
    try:
        with _Peers(job.folders.bound_by_examiner) as peers:
            talk = _Talk(job)
            talk.ask(
                "start", source=ECHO, name="echo", file="echo.py", line=1,
                arguments=[*peers.addresses, ROUND_TRIPS + 1],
            )  # fmt: skip
            microseconds = peers.round_trip()
            talk.close()
    finally:
        job.close()
    return microseconds


def _round_trip_outside() -> float:
    with (
        tempfile.TemporaryDirectory(prefix="mj-", dir="/tmp") as folder,
        _Peers(Path(folder)) as peers,
    ):
        program = (
            f"{ECHO}\necho(None, {peers.addresses[0]!r}, {peers.addresses[1]!r}, {ROUND_TRIPS + 1})"
        )
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)])
        try:
            return peers.round_trip()
        finally:
            process.kill()
            process.wait()


class _Peers:
    """This side of the echo: a PUSH and a PULL socket bound in a folder."""

    def __init__(self, folder: Path) -> None:
        import zmq

        self._context = zmq.Context()
        self.addresses = [f"ipc://{folder / name}" for name in ("there", "back")]
        self._push, self._pull = self._context.socket(zmq.PUSH), self._context.socket(zmq.PULL)
        for endpoint, address in zip((self._push, self._pull), self.addresses, strict=True):
            endpoint.linger = 0
            endpoint.rcvtimeo = endpoint.sndtimeo = REPLY_SECONDS * 1000
            endpoint.bind(address)
            os.chmod(address.removeprefix("ipc://"), 0o666)

    def round_trip(self) -> float:
        """Median microseconds; the first message, which connects, does not count."""
        times = []
        for _ in range(ROUND_TRIPS + 1):
            started = time.perf_counter()
            self._push.send(b"x" * 100)
            self._pull.recv()
            times.append((time.perf_counter() - started) * 1e6)
        return round(statistics.median(times[1:]), 1)

    def __enter__(self) -> _Peers:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.destroy(linger=0)


class _Talk:
    """A conversation with one examinee, as an examiner has it."""

    def __init__(self, job: Job) -> None:
        spawned = job.spawn()
        self._job, self._number = job, spawned.number
        self._socket = socket.socket(fileno=spawned.rpc)
        self._socket.settimeout(REPLY_SECONDS)
        self._pipes = (spawned.output, spawned.trace)
        self.ask("reset")

    def ask(self, op: str, **fields: Any) -> Any:
        from judge import wire  # brings torch, which only this measurement needs

        self._socket.sendall(wire.Encoder().encode({"id": 1, "op": op, **fields}))
        reader = wire.FrameReader()
        while (frame := reader.next_frame()) is None:
            data = self._socket.recv(1 << 16)
            if not data:
                raise MeasurementFailed("an examinee ended")
            reader.feed(data)
        return wire.Decoder(lambda *_: None).decode(*frame)

    def close(self) -> None:
        self._socket.close()
        for pipe in self._pipes:
            os.close(pipe)
        self._job.finish(self._number, hung_up=False)
