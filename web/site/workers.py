"""`Workers`: starts the grading processes, wakes them, hears from them, and replaces those that die."""

from __future__ import annotations

import contextlib
import secrets
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from web.site import claims
from web.site.bulletin import Bulletin
from web.site.database import Database
from web.site.messages import WORK, Changed, Claimed, Ready, Refused, Start, decode, encode
from web.site.settings import ROOT, Settings

START_SECONDS = 60.0
END_SECONDS = 15.0
# A worker that dies again and again is started again ever more slowly.
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 30.0
# If the first ones die before they can grade, no later one will do better.
FIRST_TRIES = 3

CODE = (
    "import sys; sys.path.append(sys.argv[1]); from web.site.worker import main; "
    "main(int(sys.argv[2]))"
)


class CannotGrade(Exception):
    """This machine does not do for grading as it was asked for; `str` of it says why."""


@dataclass
class _Process:
    """One worker process and this side's end of its socket."""

    name: str
    process: subprocess.Popen[bytes]
    line: socket.socket
    ready: bool = False


@dataclass
class _Keeper:
    """What keeps one worker running: its thread, and the process it has now."""

    thread: threading.Thread | None = None
    current: _Process | None = None
    isolation: str = ""
    refusal: str = ""
    settled: threading.Event = field(default_factory=threading.Event)


class Workers:
    """The server's grading processes. Safe to use from several threads. End them with `stop`."""

    def __init__(self, settings: Settings, database: Database, bulletin: Bulletin) -> None:
        self._settings, self._database, self._bulletin = settings, database, bulletin
        self._stopping = threading.Event()
        self._keepers = [_Keeper() for _ in range(settings.workers)]

    def start(self) -> None:
        """Give back what an earlier server left half graded, and start the processes."""
        with self._database.write() as session:
            claims.recover(session)
        for keeper in self._keepers:
            keeper.thread = threading.Thread(target=self._keep, args=(keeper,), name="worker")
            keeper.thread.start()

    def wait_until_ready(self) -> str:
        """Wait until every worker can grade; what their verdicts say of the walls.

        Raises `CannotGrade` if one cannot, or if it takes more than a minute.
        """
        for keeper in self._keepers:
            if not keeper.settled.wait(START_SECONDS):
                raise CannotGrade(f"a grading worker was not ready within {START_SECONDS:.0f} s")
            if keeper.refusal:
                raise CannotGrade(keeper.refusal)
        return self._keepers[0].isolation if self._keepers else ""

    def wake(self) -> None:
        """There is work. Never waits."""
        for keeper in self._keepers:
            process = keeper.current
            if process is not None:
                # If there is no room, the worker has calls enough that it has not yet heard.
                with contextlib.suppress(OSError):
                    process.line.send(WORK, socket.MSG_DONTWAIT)

    @property
    def wanted(self) -> int:
        return len(self._keepers)

    @property
    def ready(self) -> int:
        """How many can grade at this moment."""
        return sum(
            process is not None and process.ready and process.process.poll() is None
            for process in (keeper.current for keeper in self._keepers)
        )

    @property
    def process_ids(self) -> list[int]:
        """The running workers' processes."""
        return [k.current.process.pid for k in self._keepers if k.current is not None]

    def stop(self) -> None:
        """End the processes in their order; what they had begun waits for the next start."""
        self._stopping.set()
        for keeper in self._keepers:
            process = keeper.current
            if process is not None:
                with contextlib.suppress(OSError):
                    process.line.shutdown(socket.SHUT_WR)
        for keeper in self._keepers:
            if keeper.thread is not None:
                keeper.thread.join()

    def _keep(self, keeper: _Keeper) -> None:
        pause, tries = FIRST_PAUSE_SECONDS, 0
        while not self._stopping.is_set():
            began = time.monotonic()
            keeper.current = process = self._open()
            if self._stopping.is_set():
                with contextlib.suppress(OSError):
                    process.line.shutdown(socket.SHUT_WR)
            self._hear(keeper, process)
            self._close(process)
            keeper.current = None
            self._give_back(process.name)
            tries += 1
            if not keeper.settled.is_set() and tries >= FIRST_TRIES:
                keeper.refusal = f"a grading worker ended {tries} times before it was ready"
            if keeper.refusal:
                break
            lasted = time.monotonic() - began
            pause = (
                FIRST_PAUSE_SECONDS
                if lasted > LONGEST_PAUSE_SECONDS
                else min(pause * 2, LONGEST_PAUSE_SECONDS)
            )
            self._stopping.wait(pause)
        keeper.settled.set()

    def _open(self) -> _Process:
        ours, theirs = socket.socketpair()
        name = secrets.token_hex(8)
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-I", "-c", CODE, str(ROOT), str(theirs.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                # Ctrl-C is for the server, which decides what ends and in which order.
                start_new_session=True,
                pass_fds=[theirs.fileno()],
            )
        assert process.stdin is not None
        # Not in the arguments, which everybody on the machine can read.
        with contextlib.suppress(OSError), process.stdin:
            process.stdin.write(encode(Start(name, self._settings)))
        return _Process(name, process, ours)

    def _hear(self, keeper: _Keeper, process: _Process) -> None:
        """Pass on what the worker says until it hangs up."""
        with contextlib.suppress(OSError), process.line.makefile("rb") as lines:
            for line in lines:
                try:
                    message = decode(line)
                except msgspec.MsgspecError:
                    continue  # a line cut short by its death
                match message:
                    case Ready(isolation):
                        process.ready, keeper.isolation = True, isolation
                        keeper.settled.set()
                    case Refused(why):
                        print(f"a grading worker cannot grade: {why}", file=sys.stderr)
                        # What has worked before may work again, so only the first one decides.
                        if not keeper.settled.is_set():
                            keeper.refusal = why
                    case Claimed():
                        self._bulletin.ring_all()
                    case Changed(number):
                        self._bulletin.ring(number)

    def _close(self, process: _Process) -> None:
        process.line.close()
        try:
            process.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.process.kill()
            process.process.wait()

    def _give_back(self, name: str) -> None:
        """Put what a worker has left back into the queue, however long the database takes for it."""
        while True:
            try:
                with self._database.write() as session:
                    numbers = claims.recover(session, name)
                break
            except SQLAlchemyError as problem:
                print(f"the database does not take anything: {problem}", file=sys.stderr)
                if self._stopping.wait(LONGEST_PAUSE_SECONDS):
                    return  # the next start gives it back
        if numbers:
            self._bulletin.ring_all()
