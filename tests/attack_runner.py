"""Runs the submissions of tests/attacks through one judge and prints what came of each, a JSON line each.

    python tests/attack_runner.py [--refuse WALL]… [--only NAME]… [--like-a-container]

`tests/test_attacks.py` starts it once for each environment; it is a program of its own so that an
environment (another user, a container's limits) can be put around it. Each attack is graded and then,
on the same judge, a good submission. An attack says `BREACH: …` in its output where it got somewhere.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import secrets
import shutil
import socket
import struct
import sys
import tempfile
import time
import tomllib
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
sys.path.insert(0, str(PROJECT))

from judge.catalog import Catalog, Exercise, load_catalog  # noqa: E402
from judge.grade import Judge  # noqa: E402
from judge.sandbox import kernel, seccomp  # noqa: E402
from judge.verdict import Blame, Outcome, Status, Verdict, from_json, to_json  # noqa: E402

SEED = 5
# Beyond the submission's time: the judge's own, on a busy machine.
MORE_SECONDS = 1.5
SUBREAPER = 36
# What a container's root may still do by default.
KEPT_CAPABILITIES = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
REFUSED_IN_CONTAINERS = (
    "unshare setns mount umount2 pivot_root mount_setattr move_mount open_tree fsopen fsmount"
).split()
NEW_NAMESPACES = (0x10000000, 0x20000000, 0x40000000, 0x20000, 0x4000000, 0x8000000)


@dataclass(frozen=True)
class Attack:
    """One file of tests/attacks."""

    name: str
    kind: str
    exercise: str
    verdicts: tuple[str, ...]
    reason: str
    tiers: tuple[int, ...]
    source: str


def load_attacks() -> list[Attack]:
    """All attacks. Raises `ValueError` for a head that is not one."""
    return [_load(path) for path in sorted((HERE / "attacks").glob("*.py"))]


def _load(path: Path) -> Attack:
    source = path.read_text(encoding="utf-8")
    block = re.match(r"# /// attack\n(.*?)# ///\n", source, re.DOTALL)
    if block is None:
        raise ValueError(f"{path.name} has no head")
    head = tomllib.loads(re.sub(r"^# ?", "", block[1], flags=re.MULTILINE))
    tiers = tuple(head.pop("tiers", (1, 2, 3)))
    return Attack(
        name=path.stem, source=source, tiers=tiers, verdicts=tuple(head.pop("verdicts")), **head
    )


class Planted:
    """A copy of the course with a marker in its tests and solutions, and an open socket of the machine's."""

    def __init__(self) -> None:
        self.marker = f"planted-{secrets.token_hex(8)}"
        self._folder = Path(tempfile.mkdtemp(prefix="attacked-", dir="/tmp"))
        self._folder.chmod(0o755)
        self.course = self._folder / "course"
        shutil.copytree(HERE / "attacks_course", self.course)
        for file in self.course.glob("**/*.py"):
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace("PLANTED-MARKER", self.marker), encoding="utf-8")
        self._paths = {
            "@COURSE@": str(self.course),
            "@PROJECT@": str(PROJECT),
            "@OPEN_SOCKET@": str(self._folder / "open"),
        }
        addresses = (self._folder / "open", f"\0{self._folder}/open")
        self._listening = [socket.socket(socket.AF_UNIX) for _ in addresses]
        for listening, address in zip(self._listening, addresses, strict=True):
            listening.bind(str(address))
            listening.listen()
        (self._folder / "open").chmod(0o666)

    def aim(self, source: str) -> str:
        """The source of an attack with the paths of its targets."""
        for name, path in self._paths.items():
            source = source.replace(name, path)
        return source

    def remove(self) -> None:
        for listening in self._listening:
            listening.close()
        shutil.rmtree(self._folder)


def problems_of(attack: Attack, verdict: Verdict, exercise: Exercise, marker: str) -> Iterator[str]:
    """What a verdict on an attack must not be."""
    said = f"{verdict.verdict} ({verdict.blame}): {(verdict.message or '')[:500]}"
    if verdict.verdict not in attack.verdicts:
        yield f"it may get {' or '.join(attack.verdicts)} and got {said}"
    passed = verdict.verdict is Outcome.PASSED
    if verdict.blame is not (None if passed else Blame.LEARNER):
        yield f"the blame is not the learner's: {said}"
    if (verdict.status is Status.PASS) != passed:
        yield f"status {verdict.status} for {said}"
    try:
        written = to_json(verdict)
    except ValueError as error:
        yield f"the verdict has no JSON: {error}"
        return
    if from_json(written) != verdict:
        yield "the verdict's JSON is another verdict"
    if marker.encode() in written:
        yield f"the marker stands in the verdict: {written.decode()}"
    if len(written) > 500_000:
        yield f"a verdict of {len(written):,} bytes"
    for text in shown(verdict):
        if "BREACH" in text:
            yield text[:2000]
    limit = exercise.limits.submission_seconds + MORE_SECONDS
    if verdict.duration_ms > 1000 * limit:
        yield f"it took {verdict.duration_ms:.0f} ms, of {1000 * limit:.0f}"


def shown(verdict: Verdict) -> Iterator[str]:
    """Where an attack can speak. Not the lines of its own source that a verdict quotes."""
    yield verdict.message or ""
    for test in verdict.tests:
        yield from (test.output, test.actual or "", test.message or "", test.diff or "")


def run_one(judge: Judge, course: Catalog, planted: Planted, attack: Attack) -> dict[str, Any]:
    """Grade an attack and a good submission after it."""
    exercise = course.exercise(attack.exercise)
    verdict = judge.grade(exercise, planted.aim(attack.source), seed=SEED)
    problems = list(problems_of(attack, verdict, exercise, planted.marker))
    after = judge.grade(exercise, exercise.solution, seed=SEED)
    if after.verdict is not Outcome.PASSED:
        message = after.message or [t.message for t in after.tests]
        problems.append(f"the good submission after it got {after.verdict}: {message}")
    return {
        "attack": attack.name, "problems": problems, "verdict": verdict.verdict,
        "ms": round(verdict.duration_ms), "after_ms": round(after.duration_ms),
    }  # fmt: skip


# --- the machine before and after ------------------------------------------------------------------


def descendants(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            children = [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *descendants(child)]
    return found


def mounts() -> set[str]:
    return set(Path("/proc/self/mountinfo").read_text().splitlines())


def counters() -> dict[str, int]:
    """What the whole machine has of things that an attack would use up."""
    memory = re.search(r"MemAvailable:\s*(\d+)", Path("/proc/meminfo").read_text())
    return {
        "threads": int(Path("/proc/loadavg").read_text().split()[3].split("/")[1]),
        "open files": int(Path("/proc/sys/fs/file-nr").read_text().split()[0]),
        "MiB of memory": -int(memory[1]) // 1024 if memory else 0,
        "descriptors here": len(os.listdir("/proc/self/fd")),
    }


ROOM = {"threads": 1000, "open files": 5000, "MiB of memory": 3000, "descriptors here": 0}


def let_orphans_end(seconds: float = 3.0) -> None:
    """Wait for processes that a closed judge has left to end by themselves, as this one's children."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.05)
        except ChildProcessError:
            return


def left_behind() -> Iterator[str]:
    """What is still there of a judge of this process that has been closed."""
    own = os.getpid()
    for pid in descendants(own):
        try:
            yield f"process {pid}: {Path(f'/proc/{pid}/cmdline').read_bytes()[:200]!r}"
        except OSError:
            continue
    yield from map(str, Path("/tmp").glob(f"mj-{own}-*"))
    yield from map(str, Path("/sys/fs/cgroup").glob(f"**/practice-judge-{own}-*"))
    for line in Path("/proc/net/unix").read_text().splitlines():
        if f"/mj-{own}-" in line:
            yield f"socket {line.split()[-1]}"


# --- environments ----------------------------------------------------------------------------------


class _ContainerFilter(seccomp._Filter):
    """Like a container's default: what no rule refuses is allowed."""

    def __init__(self) -> None:
        self._library = seccomp._library()
        self._context = self._library.seccomp_init(seccomp._ALLOW)


def become_like_a_container() -> None:
    """No namespaces and few capabilities from here on, for this process and all it starts."""
    refused = seccomp._ERRNO | 1
    made = _ContainerFilter()
    for name in REFUSED_IN_CONTAINERS:
        made.rule(name, action=refused)
    for flag in NEW_NAMESPACES:
        made.rule("clone", (0, seccomp._MASKED_EQUAL, flag, flag), action=refused)
    made.rule("clone3", action=seccomp._ERRNO | 38)
    program = made.program()
    made.close()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(program)
    if os.geteuid() == 0:
        keep_capabilities(KEPT_CAPABILITIES)


def keep_capabilities(kept: Collection[int]) -> None:
    """Give up all other capabilities, also for programs that this process will execute."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in set(range(64)) - set(kept):
        libc.prctl(kernel.PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0)
    mask = sum(1 << capability for capability in kept)
    header, sets = struct.pack("Ii", 0x20080522, 0), struct.pack("6I", mask, mask, 0, 0, 0, 0)
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--refuse", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--like-a-container", action="store_true")
    chosen = parser.parse_args()
    if chosen.like_a_container:
        become_like_a_container()
    # Whatever outlives its parent becomes a child of this process, and is seen at the end.
    kernel.prctl(SUBREAPER, 1)
    attacks = [a for a in load_attacks() if not chosen.only or a.name in chosen.only]
    planted = Planted()
    os.environ["ATTACK_SECRET"] = planted.marker
    before, mounted = counters(), mounts()
    try:
        with Judge(refuse=chosen.refuse) as judge:
            sandbox = judge.sandbox()
            tell(tier=sandbox.tier, isolation=sandbox.isolation, walls=sandbox.problems)
            course = load_catalog(planted.course)
            for exercise in course.select():
                judge.grade(exercise, exercise.solution)
            with ThreadPoolExecutor(chosen.threads) as pool:
                fitting = [a for a in attacks if sandbox.tier in a.tiers]
                for result in pool.map(lambda a: run_one(judge, course, planted, a), fitting):
                    tell(**result)
        let_orphans_end()
        left = [*left_behind(), *(f"mount {line}" for line in mounts() - mounted)]
        grown = {n: v - before[n] for n, v in counters().items() if v - before[n] > ROOM[n]}
        tell(left=left, grown=grown)
    finally:
        planted.remove()


def tell(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


if __name__ == "__main__":
    main()
