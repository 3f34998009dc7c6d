"""The page's stand-in for libzmq does what libzmq does: the same programs say the same lines.

They run on libzmq and on the stand-in here, and on the stand-in in the page's Python under Node.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_process import Page

from web.browser.build import ensure_runtime
from web.browser.node import find_node

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "web" / "browser" / "zmq_backend"
PROGRAMS = ROOT / "tests" / "zmq_programs"
LIMIT = 60.0  # seconds for one side; both take about five
BACKEND = "minisgl_page_zmq"


def environment(stand_in: bool) -> dict[str, str]:
    variables = {name: text for name, text in os.environ.items() if name != "PYZMQ_BACKEND"}
    if stand_in:
        variables["PYZMQ_BACKEND"] = BACKEND
        variables["PYTHONPATH"] = str(PACKAGE)
    return variables


def names() -> list[str]:
    found = []
    for part in sorted(PROGRAMS.glob("*.py")):
        for node in ast.parse(part.read_text()).body:
            if isinstance(node, ast.FunctionDef) and [a.arg for a in node.args.args] == ["w"]:
                found.append(f"{part.stem}.{node.name}")
    return found


def start(stand_in: bool) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(PROGRAMS / "run.py")],
        env=environment(stand_in),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@pytest.fixture(scope="module")
def sides() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The lines of all programs, on libzmq and on the stand-in."""
    processes = [start(stand_in) for stand_in in (False, True)]
    try:
        said = [json.loads(process.communicate(timeout=LIMIT)[0]) for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert said[0]["backend"].startswith("zmq.")
    assert said[1]["backend"].startswith(BACKEND)
    return said[0]["programs"], said[1]["programs"]


def test_there_are_enough_programs() -> None:
    assert len(names()) >= 70


@pytest.mark.parametrize("name", names())
def test_same_lines(name: str, sides: tuple[dict[str, list[str]], dict[str, list[str]]]) -> None:
    real, ours = sides
    assert ours[name] == real[name]
    text = "\n".join(real[name])
    for ending in ("STILL WAITS", "CANNOT END", "NOTHING HAPPENED", "ended by"):
        assert ending not in text, "the program itself is broken"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    flags = find_node().stack_switching
    assert flags is not None, "this Node cannot switch stacks"
    page = Page(ensure_runtime(), flags)
    yield page
    page.close()


@pytest.mark.parametrize("name", names())
def test_same_lines_in_the_page(
    name: str, sides: tuple[dict[str, list[str]], dict[str, list[str]]], page: Page
) -> None:
    """Each program is a run of its own, so this also starts Python's world anew every time."""
    files = {file.name: file.read_text() for file in PROGRAMS.glob("*.py")}
    source = files.pop("run.py")
    answer = page.run(source, files=files, name="run.py", arguments=[name.partition(".")[2]])
    said = json.loads(answer["stdout"])
    assert said["backend"].startswith(BACKEND)
    assert said["programs"][name] == sides[0][name], answer["stderr"]


def run(program: str, *paths: Path) -> str:
    """What `program` prints on the stand-in, with a folder for sockets and `paths` as arguments."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        done = subprocess.run(
            [sys.executable, "-c", program, folder, *map(str, paths)],
            env=environment(True),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


REFERENCE_QUEUES = """
import asyncio, sys, threading
from importlib.util import module_from_spec, spec_from_file_location
import zmq
spec = spec_from_file_location("queues", sys.argv[2] + "/minisgl/utils/mp.py")
mp = module_from_spec(spec); spec.loader.exec_module(mp)
folder = sys.argv[1]

def same(value): return value

pull = mp.ZmqPullQueue(f"ipc://{folder}/a", True, same)
push = mp.ZmqPushQueue(f"ipc://{folder}/a", False, same)
push.put({"uid": 1}); print(pull.get(), pull.empty())
for address in (f"ipc://{folder}/a", f"ipc://{folder}/missing/a", "ipc:///" + "x" * 120):
    try: mp.ZmqPullQueue(address, True, same)
    except Exception as error: print(type(error).__name__)
push.stop(); pull.stop()
mp.ZmqPullQueue(f"ipc://{folder}/a", True, same).stop()

pub = mp.ZmqPubQueue(f"ipc://{folder}/b", True, same)
pub.put("lost")
subs = [mp.ZmqSubQueue(f"ipc://{folder}/b", False, same) for _ in range(3)]
pub.wait_for_subscribers(3, 5)
pub.put("heard"); print([sub.get() for sub in subs], [sub.empty() for sub in subs])
try: pub.wait_for_subscribers(4, 0.02)
except TimeoutError: print("TimeoutError")
pub.stop()
for sub in subs: sub.stop()

async def main():
    pull = mp.ZmqAsyncPullQueue(f"ipc://{folder}/c", True, same)
    push = mp.ZmqAsyncPushQueue(f"ipc://{folder}/c", False, same)
    got = await asyncio.gather(pull.get(), push.put([1, 2]))
    print(got[0])
    push.stop(); pull.stop()
asyncio.run(main())
print(zmq.backend.Socket.__module__)
"""


def test_reference_queues() -> None:
    assert run(REFERENCE_QUEUES, ROOT / "reference").splitlines() == [
        "{'uid': 1} True",
        "OSError",  # the address is in use
        "FileNotFoundError",
        "ValueError",
        "['heard', 'heard', 'heard'] [True, True, True]",
        "TimeoutError",
        "[1, 2]",
        f"{BACKEND}.sockets",
    ]


# These start another Python with a search path of its own, where the stand-in is not.
OTHER_PROCESSES = (
    "test_a_process_ends_though_nobody_stopped_its_queues",
    "test_the_socket_file_of_a_killed_process_does_not_matter",
)


def test_the_reference_queues_own_tests() -> None:
    files = [f"tests/{path.name}" for path in ROOT.joinpath("tests").glob("test_reference_queues*.py")]
    assert len(files) > 1
    command = [sys.executable, "-m", "pytest", "-q", *sorted(files)]
    command += [f"--deselect={file}::{name}" for file in files for name in OTHER_PROCESSES]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(True),
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


PUB_SUB_SOLUTION = """
import runpy, sys, threading
names = runpy.run_path(sys.argv[2] + "/pub-sub.py")
address = f"ipc://{sys.argv[1]}/x"
pub = names["ZmqPubQueue"](address, True, lambda message: {"body": message})
waiting = threading.Thread(target=pub.wait_for_subscribers, args=(2,))
waiting.start()
subs = [names["ZmqSubQueue"](address, False, lambda data: data["body"]) for _ in range(2)]
waiting.join(10)
pub.put("hello"); pub.put_raw(b"\\x81\\xa4body\\x05")
print([(sub.get(), sub.get(), sub.empty()) for sub in subs])
for queue in (pub, *subs): queue.stop()
lonely = names["ZmqSubQueue"](address + "y", False, None)
lonely.stop()
print("stopped")
"""


def test_pub_sub_solution() -> None:
    lines = run(PUB_SUB_SOLUTION, ROOT / "reference" / "solutions" / "ch12").splitlines()
    assert lines == ["[('hello', 5, True), ('hello', 5, True)]", "stopped"]


def test_says_what_it_is() -> None:
    said = run("import zmq.backend, sys; print(sys.modules['minisgl_page_zmq'].__doc__)")
    assert "stand-in for libzmq" in said and "not ZeroMQ" in said


def test_modules_are_small_and_wait_in_one_place() -> None:
    """`system_waiting` (and the file of an address, `places`) is all that a page must replace."""
    allowed = {
        "system_waiting.py": {"threading", "time", "socket"},
        "places.py": {"socket"},
        "polling.py": {"select"},
        "frames.py": {"threading"},  # pyzmq's MessageTracker wants an Event; nobody waits here
    }
    for file in sorted((PACKAGE / BACKEND).glob("*.py")):
        text = file.read_text()
        assert len(text.splitlines()) < 310, file.name
        imported = {
            alias.name
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        waits = imported & {"threading", "time", "socket", "select"}
        assert not waits - allowed.get(file.name, set()), file.name
