"""The same tests in plain pytest: what authors use at their desk, and what the benchmark measures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent


def plain_pytest(exercise: str, solution: Path) -> subprocess.CompletedProcess[str]:
    folder = HERE / "course/exercises/ch1" / exercise
    path = f"{ROOT}{os.pathsep}{HERE / 'course/reference'}"
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(folder)]
    command += [
        "-p",
        "no:cacheprovider",
        "-p",
        "judge.examiner.direct",
        "--solution",
        str(solution),
    ]
    return subprocess.run(
        [*command, str(folder / "test_examples.py"), str(folder / "test_hidden.py")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(("exercise", "passed"), [("double", 9), ("relay", 3)])
def test_the_reference_solution_passes_in_plain_pytest(exercise, passed):
    done = plain_pytest(exercise, HERE / f"course/reference/solutions/ch1/{exercise}.py")
    assert done.returncode == 0, done.stdout
    assert f"{passed} passed" in done.stdout


def test_a_wrong_solution_fails_the_test_it_declares():
    wrong = HERE / "course/exercises/ch1/double/wrong/no_refusal.py"
    done = plain_pytest("double", wrong)
    assert done.returncode == 1
    assert "1 failed, 8 passed" in done.stdout and "test_refuses_none" in done.stdout
