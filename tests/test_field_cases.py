"""docs/field-cases.md names tests that exist; and the cases of grading that no other file tests."""

from __future__ import annotations

import ast
import contextlib
import os
import re
import select
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from judge.catalog import load_catalog
from judge.grade import Judge
from judge.verdict import Outcome

ROOT = Path(__file__).parents[1]
COURSE = ROOT / "tests/course"
COUNTS = {"Q": 12, "M": 12, "T": 8, "G": 12, "P": 7}
ROWS = re.findall(
    r"^\| ([A-Z]\d+) \|(?:[^|]*\|){2} (.*) \|$",
    (ROOT / "docs/field-cases.md").read_text("utf-8"),
    re.M,
)


@cache
def functions(file: Path) -> set[str]:
    return {node.name for node in ast.parse(file.read_bytes()).body if hasattr(node, "name")}


# --- the table ------------------------------------------------------------------------------------


def test_every_case_stands_in_the_table_once():
    expected = [f"{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
    assert [case for case, _ in ROWS] == expected


@pytest.mark.parametrize(("case", "where"), ROWS, ids=[case for case, _ in ROWS])
def test_what_the_table_names_exists(case: str, where: str):
    names = re.findall(r"`([^`]+)`", where)
    assert names and ", ".join(f"`{name}`" for name in names) == where
    for name in names:
        file, _, test = name.partition("::")
        assert (ROOT / file).is_file(), name
        if test:
            assert test in functions(ROOT / file), name
        else:
            # Files that a test or `judge.py check` runs one by one; no others are run by being there.
            runs = r"(tests/(submissions|attacks)|exercises/.*/(right|wrong))/\w+\.py$"
            assert re.match(runs, name)


# --- grading --------------------------------------------------------------------------------------


def test_no_test_of_an_exercise_sleeps_and_hopes():
    """A pause between two looks at something lasts milliseconds; a longer one would be a hope."""
    for file in ROOT.glob("exercises/*/*/test_*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("sleep"):
                place = f"{file.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
                (pause,) = node.args
                assert isinstance(pause, ast.Constant) and pause.value <= 0.01, place


@pytest.fixture(scope="module")
def judge():
    with Judge() as judge:
        yield judge


def test_a_long_temporary_folder_does_not_matter(tmp_path: Path):
    long = tmp_path / ("x" * 120)
    long.mkdir()
    program = """
import sys
from pathlib import Path
from judge.catalog import load_catalog
from judge.grade import Judge
exercise = load_catalog(Path(sys.argv[1])).exercise("ch1/relay")
with Judge() as judge:
    verdict = judge.grade(exercise, exercise.solution)
print(verdict.verdict.value, verdict.message)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(COURSE)],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(long)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.split()[0] == "passed", done.stdout + done.stderr


def living_below(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have; none that has ended."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            children = [int(child) for child in (task / "children").read_text().split()]
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            if not has_ended(child):
                found |= {child} | living_below(child)
    return found


def has_ended(pid: int, seconds: float = 0) -> bool:
    """Whether a process has ended, or ends within this time; waited for by its parent or not."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def threads_of(pid: int) -> int:
    with contextlib.suppress(OSError):  # it has ended meanwhile
        return len(os.listdir(f"/proc/{pid}/task"))
    return 0


def test_a_process_with_a_thread_left_running_is_gone(judge: Judge):
    exercise = load_catalog(COURSE).exercise("ch1/double")
    source = (ROOT / "tests/submissions/leaves_threads.py").read_text("utf-8")
    assert judge.grade(exercise, exercise.solution).verdict is Outcome.PASSED
    judge.wait_until_idle()
    before = len(living_below(os.getpid()))
    with_threads: set[int] = set()

    def look(_: object) -> None:
        with_threads.update(pid for pid in living_below(os.getpid()) if threads_of(pid) > 1)

    assert judge.grade(exercise, source, on_result=look).verdict is Outcome.PASSED
    assert with_threads, "the thread was never seen running"
    judge.wait_until_idle()
    # A process that is killed may need a moment; one that nobody kills stays.
    assert [pid for pid in with_threads if not has_ended(pid, seconds=30)] == []
    # As many as before, not the same ones: the judge starts processes ahead of the next submission.
    deadline = time.monotonic() + 30
    while len(living_below(os.getpid())) > before:
        assert time.monotonic() < deadline, "there are more processes than before"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("kind", "begin", "wait"),
    [
        ("PUSH", 'bind("inproc://nobody")', 'socket.send(b"to nobody")'),
        ("PULL", 'connect(source + "-of-nobody")', "socket.recv()"),
        ("PULL", 'connect("ipc:///tmp/no-such-folder/a")', "socket.recv()"),
    ],
    ids=["put", "get", "get from a missing folder"],
)
def test_a_wait_for_a_peer_that_never_comes_is_a_timeout(
    judge: Judge, kind: str, begin: str, wait: str
):
    source = f"""\
import zmq


def relay(source, target, count):
    socket = zmq.Context().socket(zmq.{kind})
    socket.{begin}
    {wait}


def publish(address, message):
    relay(address, address, 0)
"""
    exercise = load_catalog(COURSE).exercise("ch1/relay")
    verdict = judge.grade(exercise, source, "example")
    assert verdict.verdict is Outcome.TIMEOUT, verdict.message
    assert {test.line.text.strip() for test in verdict.tests} == {wait}
    assert judge.grade(exercise, exercise.solution, "example").verdict is Outcome.PASSED
