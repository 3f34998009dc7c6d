"""When the machine fails the judge: never a fail for the learner, and the pool recovers."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from judge.catalog import load_catalog
from judge.grade import Judge
from judge.sandbox.cgroups import Cgroups
from judge.verdict import Blame, Outcome

HERE = Path(__file__).parent
ROOT = HERE.parent
CI = os.environ.get("CI", "").lower() in ("true", "1")

PRELUDE = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from judge.catalog import load_catalog
from judge.grade import Judge
exercise = load_catalog(Path("tests/course")).exercise("ch1/double")
def grade(judge):
    verdict = judge.grade(exercise, exercise.solution, "example", seed=1)
    # One write, since gradings run in several threads: print writes the end of the line by itself.
    sys.stdout.write(f"{verdict.verdict} {verdict.blame}\\n")
    sys.stdout.flush()
    return verdict
"""


@pytest.fixture(scope="module")
def exercise():
    return load_catalog(HERE / "course").exercise("ch1/double")


def needs(condition: bool, what: str) -> None:
    """In CI what is needed must be there; elsewhere the test says why it did not run."""
    if not condition:
        assert not CI, f"CI needs {what}"
        pytest.skip(f"needs {what}")


@pytest.mark.parametrize(
    ("refuse", "tier", "absent"),
    [
        (["cgroups"], 2, "cgroups"),
        (["bubblewrap"], 3, "namespaces"),
        (["landlock"], None, "landlock"),
        (["bubblewrap", "landlock", "seccomp", "cgroups"], 4, "seccomp"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
def test_a_missing_wall_lowers_the_tier_and_judging_goes_on(exercise, refuse, tier, absent):
    with Judge(refuse=refuse) as judge:
        right = judge.grade(exercise, exercise.solution)
        wrong = judge.grade(exercise, exercise.wrong[0].source)
        assert right.verdict is Outcome.PASSED, right.message
        assert wrong.verdict is Outcome.WRONG
        assert judge.sandbox().problems[absent] is not None
        assert f"tier {judge.sandbox().tier}" in right.isolation and absent not in right.isolation
        assert tier in (None, judge.sandbox().tier)
        assert ("unverified" in right.isolation) == (judge.sandbox().tier == 4)


def test_below_the_required_tier_nothing_is_judged(exercise):
    with Judge(refuse=["bubblewrap", "landlock", "seccomp", "cgroups"], require_tier=3) as judge:
        verdict = judge.grade(exercise, exercise.solution)
    assert (verdict.verdict, verdict.blame) == (Outcome.INTERNAL, Blame.JUDGE)
    assert "tier 3 is required" in verdict.message and "seccomp" in verdict.message
    assert verdict.tests == []


def run(script: str, *wrapper: str, root: Path = ROOT) -> list[str]:
    """The lines that the script prints, run by this Python in the checkout, seen at `root`."""
    python = Path(sys.executable)
    if python.is_relative_to(ROOT):
        python = root / python.relative_to(ROOT)
    command = [str(python), "-c", PRELUDE + textwrap.dedent(script)]
    done = subprocess.run(
        [*wrapper, "sh", "-c", 'cd "$0" && exec "$@"', str(root), *command],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def test_a_full_disk_is_the_judges_trouble_and_passes_by(tmp_path):
    needs(os.geteuid() == 0 and shutil.which("unshare") is not None, "root and unshare")
    # The checkout may itself lie in /tmp, which the small disk covers: it is shown in another place.
    steps = "mount --bind {} /mnt && mount -t tmpfs -o size=1m,nr_inodes=60 none /tmp"
    shell = f"{steps.format(shlex.quote(str(ROOT)))} && exec \"$@\""
    small_disk = ["unshare", "-m", "sh", "-c", shell, "sh"]
    lines = run(
        """
        filled = []
        def fill():
            try:
                while True:
                    filled.append(Path(f"/tmp/filler-{len(filled)}"))
                    filled[-1].touch()
            except OSError:
                pass
        with Judge() as judge:
            grade(judge)
            judge.wait_until_idle()
            fill()
            # Places made ahead were made before the disk was full: more at a time than there are.
            with ThreadPoolExecutor(6) as pool:
                verdicts = list(pool.map(lambda _: grade(judge), range(6)))
            failed = [v for v in verdicts if v.verdict == "internal"]
            assert failed and all("judge itself failed" in v.message for v in failed)
            for path in filled:
                path.unlink(missing_ok=True)
            grade(judge)
        """,
        *small_disk,
        root=Path("/mnt"),
    )
    assert lines[0] == lines[-1] == "passed None"
    assert "internal judge" in lines[1:-1]
    assert set(lines) <= {"passed None", "internal judge"}


def test_a_machine_out_of_processes_is_the_judges_trouble_and_passes_by():
    try:
        groups = Cgroups()
    except OSError:
        groups = None
    needs(groups is not None, "control groups")
    group = groups.group("crowded", memory_bytes=4 * 2**30)
    limit = group.folders[-1] / "pids.max"
    limit.write_text("max")
    members = [str(folder / "cgroup.procs") for folder in group.folders]
    join = 'for f in $GROUPS_TO_JOIN; do echo $$ > "$f"; done; exec "$@"'
    try:
        lines = run(
            f"""
            limit = Path({str(limit)!r})
            with Judge(refuse=["cgroups"]) as judge:
                grade(judge)
                judge.wait_until_idle()
                # Below what is there now, of which some may just be ending: nothing can be forked.
                limit.write_text("1")
                for _ in range(4):
                    grade(judge)
                limit.write_text("max")
                for _ in range(6):  # each part that has died is noticed and replaced in its turn
                    if grade(judge).verdict == "passed":
                        break
            """,
            "env", f"GROUPS_TO_JOIN={' '.join(members)}", "sh", "-c", join, "sh",
        )  # fmt: skip
    finally:
        group.remove()
        groups.close()
    assert lines[0] == lines[-1] == "passed None"
    assert "internal judge" in lines[1:5]
    assert set(lines) <= {"passed None", "internal judge"}
