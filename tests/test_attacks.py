"""Everything a submission might try against the judge, on every tier, and that nothing comes of it.

The attacks are files in tests/attacks; each says in its head what it tries, what stops it and what it
may get. `attack_runner.py` runs them, once for each environment below.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from judge.catalog import load_catalog
from judge.grade import Judge
from judge.grade import judge as judge_module
from judge.sandbox import bubblewrap
from judge.verdict import Blame, Outcome
from tests.attack_runner import Planted, descendants, load_attacks

HERE = Path(__file__).resolve().parent
RUNNER = HERE / "attack_runner.py"
ATTACKS = load_attacks()
IN_CI = os.environ.get("CI") == "true"
RUN_SECONDS = 300

# At least one attack on each wall. All run on tier 1, on tier 2 as an ordinary user has it, and on the
# weakest tier 3; these run in the other environments, too.
SOME = """
    bind_over change_the_judge disk_full execute fork_bomb fork_bomb_quietly forge_exit_of_sandbox
    forge_loading_types leave_the_walls library_from_scratch limits_raised memory_by_bytearray
    memory_by_files memory_that_grows_down move_over odd_system_calls queue_folder_full
    queue_folder_spoiled reach_the_neighbour read_environment read_inherited_descriptors read_modules
    read_other_memory read_other_submissions read_proc read_tests_by_path read_the_checkout
    remember_elsewhere remember_in_a_socket remember_in_locks schedule_others signals_by_detours
    signals_to_everybody sockets_of_every_family sockets_of_the_machine thread_bomb
    thread_bomb_without_stacks
""".split()

# Only the very root group of a machine may hold processes beside groups that count.
IN_ROOT_GROUP = 'echo $$ > /sys/fs/cgroup/cgroup.procs; exec "$@"'


class Missing(Exception):
    """What this machine lacks for an environment."""


@dataclass(frozen=True)
class Environment:
    """Where the runner runs and which tier that must give."""

    name: str
    tier: int
    arguments: tuple[str, ...] = ()
    user: str = ""
    only: tuple[str, ...] = field(default=())

    @property
    def attacks(self) -> list[str]:
        names = [attack.name for attack in ATTACKS if self.tier in attack.tiers]
        return [name for name in names if not self.only or name in self.only]

    def command(self) -> list[str]:
        """Raises `Missing`."""
        command = [sys.executable, "-B", str(RUNNER), *self.arguments]
        for name in self.only:
            command += ["--only", name]
        if self.user == "root":
            return [*as_root(), *command]
        return [*as_ordinary_user(), *command] if self.user == "ordinary" else command


ENVIRONMENTS = [
    Environment("tier-1", 1, user="root"),
    Environment("tier-2", 2, ("--refuse", "cgroups"), only=tuple(SOME)),
    Environment("tier-3", 3, ("--refuse", "bubblewrap"), only=tuple(SOME)),
    Environment("tier-3-without-groups", 3, ("--refuse", "bubblewrap", "--refuse", "cgroups")),
    Environment("ordinary-user", 2, user="ordinary"),
    Environment(
        "ordinary-user-tier-3", 3, ("--refuse", "bubblewrap"), user="ordinary", only=tuple(SOME)
    ),
    Environment(
        "container", 3, ("--like-a-container", "--refuse", "cgroups"), only=tuple(SOME)
    ),
]


def as_root() -> list[str]:
    """What to put before a command so that root runs it; only in CI that is not the user's password."""
    if os.geteuid() == 0:
        return []
    if not IN_CI:
        raise Missing("this needs root")
    return ["sudo", "-n", "sh", "-c", IN_ROOT_GROUP, "sh"]


def as_ordinary_user() -> list[str]:
    """The same for a user without rights, who must yet be able to read this Python."""
    if os.geteuid() != 0:
        return []
    opened = [
        f"mkdir $0/{n} $0/{n}/upper $0/{n}/work && chmod 755 $0/{n}/upper && mount -t overlay overlay"
        f" -o lowerdir={folder},upperdir=$0/{n}/upper,workdir=$0/{n}/work {folder} && chmod 755 {folder}"
        for n, folder in enumerate(closed_folders())
    ]
    # The mounts are in a namespace of the command's own and end with it.
    steps = ["mount -t tmpfs none $0", *opened, 'exec setpriv --reuid=1234 --regid=1234 --clear-groups "$@"']
    return ["unshare", "-m", "sh", "-c", " && ".join(steps), "/mnt", "env", "HOME=/tmp"]


def closed_folders() -> list[Path]:
    """Folders above Python and this checkout that only their owner may enter, the outermost of each."""
    places = {Path(p).resolve() for p in (sys.executable, sys.prefix, sys.base_prefix, HERE)}
    places |= {Path(sys.executable).absolute()}
    closed = {
        next((f for f in reversed(place.parents) if not f.stat().st_mode & 1), None) for place in places
    }
    return sorted(closed - {None})


@functools.cache
def outcome(environment: Environment) -> dict[str, Any]:
    """The runner's lines: `start`, `end`, and by name the attacks. Or `missing`: what is not here."""
    try:
        command = environment.command()
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=RUN_SECONDS, stdin=subprocess.DEVNULL
        )
    except (Missing, FileNotFoundError) as missing:
        return {"missing": str(missing)}
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines:
        return {"missing": f"the runner does not start (exit code {done.returncode}): {done.stderr[-2000:]}"}
    start = lines[0]
    if start["tier"] > environment.tier:
        lacking = {name: why for name, why in start["walls"].items() if why}
        return {"missing": f"this machine gives {start['isolation']}; {lacking}", "start": start}
    end = lines[-1] if "left" in lines[-1] else {"left": [f"the runner itself died: {done.stderr[-2000:]}"]}
    return {"start": start, "end": end, **{line["attack"]: line for line in lines if "attack" in line}}


def outcome_or_skip(environment: Environment) -> dict[str, Any]:
    result = outcome(environment)
    if "missing" in result:
        if IN_CI:
            pytest.fail(f"{environment.name}: {result['missing']}")
        pytest.skip(f"{environment.name}: {result['missing']}")
    return result


@pytest.mark.parametrize(
    ("environment", "name"),
    [pytest.param(e, name, id=f"{e.name}-{name}") for e in ENVIRONMENTS for name in e.attacks],
)
def test_nothing_comes_of_the_attack(environment, name):
    result = outcome_or_skip(environment)
    assert name in result, f"the runner did not get to it: {result['end']}"
    assert result[name]["problems"] == []


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda e: e.name)
def test_the_environment_gives_its_tier_and_is_left_as_it_was(environment):
    result = outcome_or_skip(environment)
    assert result["start"]["tier"] == environment.tier, result["start"]
    assert result["end"] == {"left": [], "grown": {}}


def test_there_are_attacks_of_every_kind():
    kinds = Counter(attack.kind for attack in ATTACKS)
    assert sum(kinds.values()) >= 50
    assert set(kinds) == {"reading", "forging", "harming", "stealing"}
    assert {attack.exercise for attack in ATTACKS} == {"ch1/double", "ch1/pack", "ch1/relay"}
    assert set(SOME) <= {attack.name for attack in ATTACKS}
    assert not [attack.name for attack in ATTACKS if "internal" in attack.verdicts]


# --- the memory of the learner's side ----------------------------------------------------------------

CONTROL = "control-3f1c-of-the-scan"
WAITS = f"""\
import time

CONTROL = "{CONTROL}"


def double(value):
    if value == 123456789:
        time.sleep(60)
    return value * 2
"""


def scan(pids: list[int], texts: list[str]) -> dict[int, dict[str, int]]:
    """How often each text occurs in each process's memory. Raises `Missing`."""
    before = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if before and not IN_CI:
        raise Missing("reading the memory of other processes needs root")
    command = [*before, sys.executable, "-B", str(HERE / "memory_scan.py"), *map(str, pids)]
    try:
        done = subprocess.run(
            command, input=json.dumps(texts), capture_output=True, text=True, timeout=120
        )
    except FileNotFoundError as missing:
        raise Missing(str(missing)) from None
    if done.returncode:
        raise Missing(f"the scan does not work: {done.stderr[-1000:]}")
    return {int(pid): found for pid, found in json.loads(done.stdout).items()}


def holders(found: dict[int, dict[str, int]], text: str, among: list[int]) -> list[int]:
    return [pid for pid in among if found.get(pid, {}).get(text)]


@pytest.mark.parametrize("refuse", [[], ["bubblewrap"]], ids=["namespaces", "no-namespaces"])
def test_no_secret_is_in_the_memory_of_the_learners_side(refuse):
    planted = Planted()
    try:
        settings = planted.course / "exercises/ch1/double/exercise.toml"
        settings.write_text(settings.read_text().replace("_seconds = 1.0", "_seconds = 20.0"))
        settings.write_text(settings.read_text().replace("_seconds = 2.0", "_seconds = 20.0"))
        exercise = load_catalog(planted.course).exercise("ch1/double")
        with Judge(refuse=refuse) as judge:
            judge.grade(exercise, exercise.solution)
            reached = threading.Event()
            grading = threading.Thread(
                target=judge.grade, args=(exercise, WAITS), kwargs={"on_result": lambda _: reached.set()}
            )
            grading.start()
            assert reached.wait(30)
            time.sleep(0.3)
            # By now a hidden test has called the examinee, which keeps it waiting.
            first = judge._sandbox._process.pid
            pids = [first, *descendants(first)]
            first = judge._examiners._process.pid
            other = [first, *descendants(first)]
            found: dict[int, dict[str, int]] = {}
            try:
                found = scan(pids + other, [planted.marker, CONTROL, "warm_up"])
                for pid in holders(found, CONTROL, pids):
                    os.kill(pid, signal.SIGKILL)
            finally:
                grading.join()
    except Missing as missing:
        if IN_CI:
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    finally:
        planted.remove()
    assert holders(found, planted.marker, pids) == []
    # The scan itself works: it sees the submission in an examinee, the zygote's own code in the
    # zygote and its forks, and the marker where it belongs, with the examiner.
    assert holders(found, CONTROL, pids)
    assert len(holders(found, "warm_up", pids)) >= 2
    assert holders(found, planted.marker, other)


# --- what needs other limits than the attacks' -------------------------------------------------------


def test_messages_that_no_test_takes_are_not_hoarded(monkeypatch):
    monkeypatch.setattr(judge_module, "GRADER_MIB", 48)
    course = load_catalog(HERE / "attacks_course")
    exercise = course.exercise("ch1/relay")
    flood = next(attack for attack in ATTACKS if attack.name == "flood_the_examiner")
    with Judge() as judge:
        verdict = judge.grade(exercise, flood.source)
        assert (verdict.verdict, verdict.blame) == (Outcome.OUTPUT, Blame.LEARNER)
        assert "48 MiB" in verdict.message
        assert judge.grade(exercise, exercise.solution).verdict is Outcome.PASSED


def test_a_checkout_within_a_readable_folder_is_not_readable(monkeypatch, tmp_path):
    shown = tmp_path / "shown"
    for folder in ("lib", "app/exercises", "app/.venv/lib"):
        (shown / folder).mkdir(parents=True)
    (shown / "link").symlink_to(shown / "app")
    monkeypatch.setattr(bubblewrap, "PROJECT", shown / "app")
    monkeypatch.setattr(bubblewrap, "SYSTEM_FOLDERS", (str(shown),))
    readable = bubblewrap.readable_folders("/code")
    assert str(shown / "lib") in readable
    for path in (shown, shown / "app", shown / "link"):
        assert str(path) not in readable
