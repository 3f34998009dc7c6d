"""How long a verdict takes, and how long plain pytest takes for the same tests, from one run.

For each exercise: the median of warm gradings of its reference solution (both suites), the median of
`python -m pytest` on the same test files in a fresh process, and the ratio. Times in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from judge.catalog import Exercise, load_catalog  # noqa: E402
from judge.grade import Judge  # noqa: E402

FRESH_TIMEOUT_SECONDS = 120


def warm_times(judge: Judge, exercise: Exercise, runs: int) -> list[float]:
    """Milliseconds of each warm grading; one grading before them starts the processes."""
    times = []
    for index in range(runs + 1):
        verdict = judge.grade(exercise, exercise.solution, seed=index)
        if not verdict.passed:
            raise SystemExit(f"{exercise.id}: the reference solution does not pass: {verdict.message}")
        times.append(verdict.duration_ms)
    return times[1:]


def fresh_times(exercise: Exercise, runs: int) -> list[float]:
    """Milliseconds of each whole `python -m pytest` on the same tests, without any isolation."""
    files = [str(exercise.folder / name) for name in ("test_examples.py", "test_hidden.py")]
    command = [
        sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(exercise.folder),
        "-p", "no:cacheprovider", "-p", "judge.examiner.direct",
        "--solution", str(exercise.solution_path), *files,
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{exercise.reference}"}
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=FRESH_TIMEOUT_SECONDS
        )
        times.append((time.perf_counter() - started) * 1000)
        if done.returncode:
            raise SystemExit(f"{exercise.id}: plain pytest fails:\n{done.stdout[-2000:]}")
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", nargs="?", help="a chapter or an exercise; default: all")
    parser.add_argument("--warm", type=int, default=15, help="gradings per exercise")
    parser.add_argument("--fresh", type=int, default=5, help="plain pytest runs per exercise")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args()
    rows = []
    with Judge() as judge:
        for exercise in load_catalog(ROOT).select(options.target):
            print(f"measuring {exercise.id} …", file=sys.stderr)
            warm = statistics.median(warm_times(judge, exercise, options.warm))
            fresh = statistics.median(fresh_times(exercise, options.fresh))
            rows.append(
                {
                    "exercise": exercise.id,
                    "tests": len(exercise.tests),
                    "warm_ms": round(warm, 1),
                    "fresh_ms": round(fresh, 1),
                    "ratio": round(fresh / warm, 1),
                }
            )
    if options.format == "json":
        print(json.dumps(rows, indent=2))
        return
    print(f"{'exercise':<24}{'tests':>7}{'verdict ms':>12}{'pytest ms':>12}{'ratio':>8}")
    for row in rows:
        print(
            f"{row['exercise']:<24}{row['tests']:>7}{row['warm_ms']:>12}{row['fresh_ms']:>12}"
            f"{row['ratio']:>8}"
        )


if __name__ == "__main__":
    main()
