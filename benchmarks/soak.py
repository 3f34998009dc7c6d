"""Thousands of gradings on one pool: does anything fail, and does anything grow?

Right, wrong, hanging and hostile submissions take turns on two workers. After the first 200 gradings
and at the end, with nothing running, the memory of all processes, the descriptors of this one, the
processes and the files left in the queue folders are counted. Exit code 1 if a verdict is not the
right one, or if something has grown by more than 5 %.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from judge.catalog import load_catalog  # noqa: E402
from judge.grade import Judge  # noqa: E402
from judge.measure import tree_mib  # noqa: E402

WARM_UP = 200
GROWTH = 1.05
# As many of each as stand here, in turn; the hanging one costs seconds, so it is rare.
CRASHES = "import os\n\n\ndef double(value):\n    os._exit(0)\n"
THREADS = "import threading\n\n\ndef double(value):\n    threading.Thread(target=threading.Event().wait).start()\n    return value * 2\n"
FLOOD = "def double(value):\n    print('x' * 100_000)\n    return value * 2\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    exercise = load_catalog(ROOT / "tests/course").exercise("ch1/double")
    mixture = [
        (exercise.solution, {"passed"}),
        (exercise.wrong[0].source, {"wrong"}),
        (exercise.solution, {"passed"}),
        (THREADS, {"wrong", "error"}),
        (exercise.solution, {"passed"}),
        (FLOOD, {"wrong", "error"}),
        ("x = (", {"error"}),
        (CRASHES, {"crashed"}),
    ]
    failures: list[str] = []
    with Judge() as judge, ThreadPoolExecutor(2) as pool:

        def grade(index: int) -> None:
            source, expected = mixture[index % len(mixture)]
            verdict = judge.grade(exercise, source, seed=index)
            if verdict.verdict not in expected:
                failures.append(f"{index}: {verdict.verdict} {verdict.message}")

        def counts() -> dict[str, float]:
            pool.submit(time.sleep, 0).result()
            judge.wait_until_idle()
            sandbox = judge.sandbox()
            return {
                "MiB": tree_mib(sandbox.process_id) + tree_mib(judge.examiner_process_id),
                "descriptors": len(os.listdir("/proc/self/fd")),
                "processes": processes(os.getpid()),
                "files": sum(len(files) + len(dirs) for _, dirs, files in os.walk(sandbox.folder)),
            }

        started = time.monotonic()
        list(pool.map(grade, range(WARM_UP)))
        early = counts()
        for start in range(WARM_UP, options.count, 100):
            list(pool.map(grade, range(start, min(start + 100, options.count))))
            print(
                f"{min(start + 100, options.count)} gradings, {len(failures)} failures",
                file=sys.stderr,
            )
        late = counts()
        seconds = time.monotonic() - started
    for failure in failures[:20]:
        print(failure)
    grown = [name for name in early if late[name] > early[name] * GROWTH]
    print(f"{options.count} gradings in {seconds:.0f} s, {len(failures)} with a wrong verdict")
    for name in early:
        print(f"{name:<12} after {WARM_UP}: {early[name]:8.1f}   at the end: {late[name]:8.1f}")
    return 1 if failures or grown else 0


def processes(pid: int) -> int:
    """How many processes there are below this one."""
    children = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += (task / "children").read_text().split()
    return len(children) + sum(processes(int(child)) for child in children)


if __name__ == "__main__":
    sys.exit(main())
