"""The page's Python runs programs as CPython does, stops them, and starts clean the next time.

Programs run under Node, in one interpreter one after the other, with an owner in another thread as in
the page (`page_programs/run.mjs`).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from page_process import LIMIT, Page

from judge.catalog import load_catalog
from judge.grade.bundle import make_bundle
from web.browser.build import ensure_runtime
from web.browser.node import find_node
from web.browser.node.page_runner import NodePage

HERE = Path(__file__).parent
PROGRAMS = HERE / "page_programs"
STOP_MILLISECONDS = 5000.0  # asked for is 1000, on a machine that does nothing else
KEPT = 256 * 1024  # bytes of output


def cells(part: str) -> dict[str, str]:
    """The programs of one file, by name."""
    pieces = re.split(r"^# %% ", (PROGRAMS / f"{part}.py").read_text(), flags=re.MULTILINE)
    return dict(piece.split("\n", 1) for piece in pieces[1:])


COMPARED = {
    f"{part}.{name}": source
    for part in ("threads", "loops", "endings")
    for name, source in cells(part).items()
}


@pytest.fixture(scope="module")
def runtime() -> Path:
    return ensure_runtime()


@pytest.fixture(scope="module")
def page(runtime: Path) -> Iterator[Page]:
    flags = find_node().stack_switching
    assert flags is not None, "this Node cannot switch stacks"
    page = Page(runtime, flags)
    yield page
    page.close()


@pytest.fixture(scope="module")
def plain_page(runtime: Path) -> Iterator[Page]:
    """As a browser without stack switching."""
    page = Page(runtime, ())
    if page.start["stackSwitching"]:
        page.close()
        pytest.skip("this Node always switches stacks")
    yield page
    page.close()


# --- as on CPython ----------------------------------------------------------------------------------


def on_cpython(source: str) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(source)
        return subprocess.run(
            [sys.executable, "-X", "utf8", "program.py"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )


@pytest.fixture(scope="module")
def real() -> dict[str, subprocess.CompletedProcess[str]]:
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(COMPARED, pool.map(on_cpython, COMPARED.values()), strict=True))


def outer_lines(text: str) -> list[str]:
    """What an error output says, without the lines of code, which differ between Pythons."""
    return [line for line in text.splitlines() if line and not line[0].isspace()]


@pytest.mark.parametrize("name", COMPARED)
def test_same_as_cpython(
    name: str, page: Page, real: dict[str, subprocess.CompletedProcess[str]]
) -> None:
    expected, got = real[name], page.run(COMPARED[name])
    assert got["stdout"] == expected.stdout, got["stderr"]
    assert outer_lines(got["stderr"]) == outer_lines(expected.stderr)
    assert got["ended"]["exitCode"] == expected.returncode


def test_traceback_shows_the_programs_lines_and_none_of_ours(page: Page) -> None:
    source = "import threading\ndef f():\n    1 / 0\nthreading.Thread(target=f).start()\nf()\n"
    for text in page.run(source)["stderr"], on_cpython(source).stderr:
        lines = re.findall(r'program\.py", line (\d+), in (\S+)', text)
        assert sorted(lines) == [("3", "f"), ("3", "f"), ("5", "<module>")]
        assert "minisgl_page" not in text


# --- deadlocks --------------------------------------------------------------------------------------

DEADLOCKS = {
    "join": (
        """
import threading
lock = threading.Lock()
lock.acquire()
thread = threading.Thread(target=lock.acquire, name="stuck")
def hold():
    with lock:
        pass
other = threading.Thread(target=hold, name="other")
other.start()
other.join()
""",
        ["MainThread: Thread.join, program.py, line 11: other.join()", "other: Lock.__enter__"],
    ),
    "queue": (
        "import queue\nqueue.Queue().get()\n",
        ["MainThread: Queue.get, program.py, line 2: queue.Queue().get()"],
    ),
    "zmq": (
        """
import threading, zmq
context = zmq.Context()
def work():
    pull = context.socket(zmq.PULL)
    pull.bind("ipc:///tmp/y")
    pull.recv()
threading.Thread(target=work, name="reader").start()
pull = context.socket(zmq.PULL)
pull.bind("ipc:///tmp/x")
pull.recv()
""",
        [
            "MainThread: Socket.recv, program.py, line 11: pull.recv()",
            "reader: Socket.recv, program.py, line 7: pull.recv()",
        ],
    ),
    "asyncio": (
        """
import asyncio
async def wait_for_ever(event):
    await event.wait()
async def main():
    event = asyncio.Event()
    await asyncio.gather(wait_for_ever(event), wait_for_ever(event))
asyncio.run(main())
""",
        ["line 4: await event.wait()", "line 7: await asyncio.gather("],
    ),
    "end": (
        """
import threading
threading.Thread(target=threading.Event().wait, name="left").start()
print("main is over")
""",
        ["MainThread: Thread.join", "left: Event.wait"],
    ),
}


@pytest.mark.parametrize("name", DEADLOCKS)
def test_deadlock_names_who_waits_where(name: str, page: Page) -> None:
    source, expected = DEADLOCKS[name]
    answer = page.run(source)
    assert answer["ended"]["exitCode"] == 1
    assert "Deadlock: deadlock: every thread waits" in answer["stderr"]
    assert "死锁" in answer["stderr"]
    for line in expected:
        assert line in answer["stderr"]


def test_a_deadlock_can_be_caught_and_nothing_else_is_one(page: Page) -> None:
    answer = page.run(
        """
import queue, threading
tasks = queue.Queue()
try:
    tasks.get()
except RuntimeError as error:
    print(type(error).__name__, error.en.splitlines()[0])
threading.Timer(0.02, tasks.put, args=("late",)).start()
print(tasks.get())
"""
    )
    said = "Deadlock deadlock: every thread waits, and none can wake another.\nlate\n"
    assert answer["stdout"] == said, answer["stderr"]


# --- Stop -------------------------------------------------------------------------------------------

STOPPED = {
    "busy": "while True: pass",
    "busy, and catches everything": """
while True:
    try:
        while True: pass
    except BaseException: pass
""",
    "sleep": "import time; time.sleep(600)",
    "sleep, and catches everything": """
import time
while True:
    try: time.sleep(600)
    except BaseException: pass
""",
    "recv": """
import zmq
pull = zmq.Context().socket(zmq.PULL)
pull.bind("ipc:///tmp/x")
pull.rcvtimeo = 600000
pull.recv()
""",
    "polls": """
import zmq
pull = zmq.Context().socket(zmq.PULL)
while True: pull.poll(1)
""",
    "join of a busy thread": """
import threading
def work():
    while True: pass
thread = threading.Thread(target=work)
thread.start()
thread.join()
""",
    "join of a thread that catches everything": """
import threading
def work():
    while True:
        try:
            while True: pass
        except BaseException: pass
thread = threading.Thread(target=work)
thread.start()
thread.join()
""",
    "lock": """
import threading
threading.Timer(600, print).start()
lock = threading.Lock()
lock.acquire(); lock.acquire()
""",
    "two threads that wake each other": """
import queue, threading
a, b = queue.Queue(1), queue.Queue(1)
def work():
    while True: b.put(a.get())
threading.Thread(target=work, daemon=True).start()
while True:
    a.put(1); b.get()
""",
    "flood": "while True: print('flood')",
    "asyncio": "import asyncio; asyncio.run(asyncio.sleep(600))",
    "asyncio, never idle": """
import asyncio
async def main():
    while True: await asyncio.sleep(0)
asyncio.run(main())
""",
    "asyncio, and catches everything": """
import asyncio
async def main():
    while True:
        try: await asyncio.sleep(600)
        except BaseException: pass
asyncio.run(main())
""",
    "inside the standard library": "while True: sorted(range(20000), key=lambda x: -x)",
}


@pytest.mark.parametrize("name", STOPPED)
def test_stop(name: str, page: Page, record_property: Any) -> None:
    answer = page.run("print('READY', flush=True)\n" + STOPPED[name], stop_at="READY")
    record_property("milliseconds", answer["stopMilliseconds"])
    assert answer["ended"]["stopped"] and answer["ended"]["exitCode"] == 130
    assert answer["stopMilliseconds"] < STOP_MILLISECONDS
    assert page.run("print('usable')")["stdout"] == "usable\n"


def test_stop_runs_finally_and_lets_asyncio_cancel(page: Page) -> None:
    answer = page.run(
        """
import asyncio
async def main():
    print("READY")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        print("cancelled")
        raise
    finally:
        print("finally")
asyncio.run(main())
""",
        stop_at="READY",
    )
    assert answer["stdout"].splitlines() == ["READY", "cancelled", "finally"]
    assert answer["stderr"].rstrip().endswith("KeyboardInterrupt")


# --- recursion without end --------------------------------------------------------------------------

ENDLESS = {
    "calls only itself": """
import sys
sys.setrecursionlimit(10**9)
def deeper(x):
    return deeper(x) + deeper(x)
deeper(1)
""",
    "calls C functions too": """
from sys import setrecursionlimit
setrecursionlimit(2**31 - 1)
def deeper(x):
    return abs(deeper(abs(x)))
deeper(1)
""",
    "in a thread": """
import sys, threading
def deeper(x):
    return deeper(x) + deeper(x)
def work():
    sys.setrecursionlimit(10**9)
    deeper(1)
thread = threading.Thread(target=work)
thread.start()
thread.join()
deeper(1)
""",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_recursion_ends_whatever_limit_is_set(name: str, page: Page) -> None:
    answer = page.run(ENDLESS[name])
    assert answer["ended"]["event"] == "ended" and answer["ended"]["exitCode"] == 1
    assert answer["stderr"].splitlines()[-1].startswith("RecursionError: maximum recursion depth")
    usable = page.run("import sys; print(sys.getrecursionlimit())")
    assert usable["stdout"] == "1000\n", usable["stderr"]


def test_a_recursion_limit_holds_up_to_the_pages_own(page: Page) -> None:
    answer = page.run(
        """
import sys
def depth(n):
    return n and 1 + depth(n - 1)
sys.setrecursionlimit(5000)
print(sys.getrecursionlimit(), depth(4500))
sys.setrecursionlimit(10**6)
print(sys.getrecursionlimit(), depth(9500))
for wrong in (0, 10**10, "1"):
    try: sys.setrecursionlimit(wrong)
    except (ValueError, OverflowError, TypeError) as error: print(type(error).__name__)
print(sys.getrecursionlimit(), "10,000" in sys.setrecursionlimit.__doc__)
sys.setrecursionlimit = print
"""
    )
    assert answer["stdout"].splitlines() == [
        "5000 4500",
        "10000 9500",
        "ValueError",
        "OverflowError",
        "TypeError",
        "10000 True",
    ], answer["stderr"]
    after = page.run("import sys; print(sys.getrecursionlimit(), sys.setrecursionlimit is print)")
    assert after["stdout"] == "1000 False\n", after["stderr"]


def test_a_grading_ends_endless_recursion_whatever_limit_is_set(runtime: Path) -> None:
    bundle = make_bundle(load_catalog(HERE / "course").exercise("ch1/double"))
    bundle["limits"] |= {"test_seconds": 30.0, "submission_seconds": 60.0}  # a busy machine
    verdicts = []
    with NodePage(runtime) as node:
        for name in ("recursion_without_limit", "good"):
            source = (HERE / "submissions" / f"{name}.py").read_text()
            verdicts.append(node.grade(bundle, source, seed=1))
    deep, good = verdicts
    assert deep["verdict"] == "error" and good["verdict"] == "passed"
    assert [test["outcome"] for test in deep["tests"]] == ["error"] * len(good["tests"])
    assert all("RecursionError" in test["message"] for test in deep["tests"])


# --- output -----------------------------------------------------------------------------------------


def test_a_flood_is_kept_in_part_counted_and_gathered(page: Page) -> None:
    lines = 60_000
    answer = page.run(f"for i in range({lines}): print('%09d' % i)")
    assert answer["ended"]["exitCode"] == 0
    assert len(answer["stdout"]) == KEPT
    assert answer["stdout"].startswith("000000000\n000000001\n")
    assert answer["ended"]["dropped"] == lines * 10 - KEPT
    assert answer["posts"] < 500


def test_output_comes_while_the_program_computes(page: Page) -> None:
    """`stop_at` waits for words that a program prints long before it would end."""
    source = "print('WORDS')\nwhile True: pass"
    assert page.run(source, stop_at="WORDS")["ended"]["stopped"]


# --- one run after the other ------------------------------------------------------------------------


def test_nothing_is_left_for_the_next_program(page: Page) -> None:
    programs = cells("leftovers")
    assert page.run(programs["leaves"])["stdout"].startswith("left True\n")
    found = page.run(programs["finds"])
    assert found["stdout"].splitlines() == [
        "False False False",
        "None True True",
        "False True False",
        "False True",
        "(0.0, 0.0) [] 30",
        "True",
        "False False",
        "['MainThread']",
        "0",
        "loop",
    ], found["stderr"]


def test_files_beside_the_program(page: Page) -> None:
    files = {"helper.py": "value = 7\n", "data/words.txt": "words"}
    source = "import sys, helper; print(helper.value, open('data/words.txt').read(), sys.argv[1:])"
    answer = page.run(source, files=files, arguments=["a", "b"])
    assert answer["stdout"] == "7 words ['a', 'b']\n", answer["stderr"]


def test_sockets_are_refused_and_ipc_nodes_can_be_asked(page: Page) -> None:
    answer = page.run(
        """
import os, socket, stat
import zmq
try: socket.create_connection(("127.0.0.1", 9))
except OSError as error: print("a web page has no sockets" in str(error))
pull = zmq.Context().socket(zmq.PULL)
pull.bind("ipc://./q")
def ask():
    with socket.socket(socket.AF_UNIX) as probe:
        try: probe.connect("./q")
        except OSError as error: return type(error).__name__
        return "listens"
print(stat.S_ISSOCK(os.lstat("q").st_mode), ask())
pull.close()
print(os.path.exists("q"), ask())
os.unlink("q")
print(ask())
"""
    )
    assert answer["stdout"].splitlines() == [
        "True",
        "True listens",
        "True ConnectionRefusedError",
        "FileNotFoundError",
    ], answer["stderr"]


# --- without stack switching ------------------------------------------------------------------------

RUNS_WITHOUT = {
    "threads": (
        "import threading\nfound = []\n"
        "t = threading.Thread(target=lambda: found.append(1)); t.start(); t.join(); print(found)",
        "[1]\n",
    ),
    "sleep": ("import time\ntime.sleep(0.01); print('slept')", "slept\n"),
    "asyncio": ("import asyncio\nprint(asyncio.run(asyncio.sleep(0.01, 5)))", "5\n"),
    "zmq": (
        """
import zmq
context = zmq.Context()
pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
pull.bind("ipc://./q"); push.connect("ipc://./q")
push.send(b"x"); print(pull.recv())
""",
        "b'x'\n",
    ),
}


@pytest.mark.parametrize("name", RUNS_WITHOUT)
def test_without_stack_switching_what_need_not_wait_runs(name: str, plain_page: Page) -> None:
    source, expected = RUNS_WITHOUT[name]
    answer = plain_page.run(source)
    assert answer["stdout"] == expected, answer["stderr"]


@pytest.mark.parametrize(
    "source",
    [
        "import queue; queue.Queue().get()",
        "import zmq; zmq.Context().socket(zmq.PULL).recv()",
        "import asyncio\nasync def main(): await asyncio.Event().wait()\nasyncio.run(main())",
    ],
)
def test_without_stack_switching_waiting_is_refused(source: str, plain_page: Page) -> None:
    text = plain_page.run(source)["stderr"]
    assert "CannotWait" in text and "JSPI" in text and "无法" in text


def test_without_stack_switching_stop_works(plain_page: Page) -> None:
    for source in ("while True: pass", "import time; time.sleep(600)"):
        answer = plain_page.run("print('READY')\n" + source, stop_at="READY")
        assert answer["ended"]["stopped"] and answer["stopMilliseconds"] < STOP_MILLISECONDS
