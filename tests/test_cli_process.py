"""The program as a process of its own: terminals, Ctrl-C, watch, a read-only checkout."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_course import RAISES, SOLUTION, copy_course, environment, start, write

from judge.verdict import Outcome, from_json

LIMIT = 20.0  # seconds for whatever is waited for, on a busy machine
FOLDER = r"/tmp/mj-[\w-]+"  # what a judge has for its queues
LOOPS = "def double(value):\n    while True:\n        pass\n"

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_course(tmp_path)


@contextlib.contextmanager
def running(root: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The program in a session of its own, as a terminal's foreground job is."""
    process = subprocess.Popen(
        [sys.executable, "start.py", *words],
        cwd=root,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


# --- Ctrl-C -------------------------------------------------------------------------------------


def descendants(pid: int) -> dict[int, str]:
    """The living processes below `pid`, each with its command line."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            state, parent = entry.joinpath("stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found, level = {}, {pid}
    while level:
        level = {child for child, parent in parents.items() if parent in level}
        for child in level:
            with contextlib.suppress(OSError):
                found[child] = (
                    Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                )
    return found


def folders_of(commands: dict[int, str]) -> set[Path]:
    return {
        Path(name) for line in commands.values() for name in re.findall(r"/tmp/mj-[\w-]+", line)
    }


@linux
@pytest.mark.parametrize("words", [["ch1", "--format", "json"], ["check", "--no-page"]])
def test_interrupt_ends_everything(root: Path, words: list[str]) -> None:
    write(root, "ch1/double", LOOPS)
    root.joinpath("reference/solutions/ch1/double.py").write_text(LOOPS, "utf-8")
    with running(root, *words) as process:

        def in_a_test() -> bool:
            return any(
                list(f.glob("bound-by-examiner/*")) for f in folders_of(descendants(process.pid))
            )

        wait_until(in_a_test)
        time.sleep(0.2)
        started = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        began = time.monotonic()
        out, err = process.communicate(timeout=LIMIT)
        assert time.monotonic() - began < 5
    assert process.returncode == 130
    assert err == "stopped\n" and (out == "" or words[0] == "check")
    assert len(started) > 3 and folders_of(started)
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))
    assert not [folder for folder in folders_of(started) if folder.exists()]


@linux
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupt_while_the_judge_still_starts(root: Path, number: int, code: int) -> None:
    with running(root, "ch1/double", "--lang", "zh") as process:
        wait_until(lambda: folders_of(descendants(process.pid)))
        started = descendants(process.pid)
        (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
        _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == code
    assert err.splitlines()[-1] == "已停止" and "judge/cli" not in err
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))
    assert not [folder for folder in folders_of(started) if folder.exists()]


# --- watch --------------------------------------------------------------------------------------


class Lines:
    """What a process prints, collected while it runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.text = ""
        self._stream = process.stdout
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._stream is not None
        with contextlib.suppress(ValueError):
            for line in self._stream:
                self.text += line

    def await_next(self, said: str) -> str:
        """What came up to the report's last line, once `said` is in it; forgets it then."""
        wait_until(
            lambda: re.search(rf"{re.escape(said)}[\s\S]*?^(Next|All).*\n", self.text, re.MULTILINE)
        )
        text, self.text = self.text, ""
        return text


def test_watch_judges_at_once_and_on_every_save(root: Path) -> None:
    path = root / "practice/ch1/double.py"
    with running(root, "watch", "ch1/double") as process:
        lines = Lines(process)
        assert "\x1b" not in lines.await_next("not started yet: edit practice/ch1/double.py")
        new = path.with_name("double.py.new")
        new.write_text(SOLUTION, "utf-8")
        os.replace(new, path)  # as many editors save
        lines.await_next(" 9/9 ")
        path.unlink()
        time.sleep(0.4)
        path.write_text(RAISES, "utf-8")  # as others do
        assert "There is no file" not in lines.await_next("ZeroDivisionError")
        os.utime(path)  # the same content again: nothing to judge
        time.sleep(0.8)
        assert lines.text == ""
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(LIMIT) == 0
        assert process.stderr is not None and process.stderr.read().endswith("\nstopped\n")


# --- terminals and other surroundings -----------------------------------------------------------


def on_terminal(root: Path, *words: str, **more: str) -> tuple[int, str]:
    """Exit code and everything printed on a terminal of 90 columns."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "start.py", *words],
        cwd=root,
        env=environment(TERM="xterm-256color", COLUMNS="90", **more),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    printed = b""
    with contextlib.suppress(OSError):  # a terminal whose other side is gone: EIO on Linux
        while part := os.read(ours, 65536):
            printed += part
    os.close(ours)
    return process.wait(LIMIT), printed.decode()


def test_a_terminal_shows_progress_and_colours(root: Path) -> None:
    write(root, "ch1/double", SOLUTION)
    code, printed = on_terminal(root, "ch1")
    assert code == 1
    assert "judging" in printed and re.search(r"\b9/9\b", printed)
    assert "\x1b[32m✓ Twice as much" in printed
    assert printed.count("\x1b[?25l") == printed.count("\x1b[?25h")  # the cursor is back
    assert printed.rindex("judging") < printed.rindex("1 of 2 exercises passed.")


def test_the_statement_is_rendered_on_a_terminal(root: Path) -> None:
    code, printed = on_terminal(root, "start", "ch1/double", "--print")
    assert code == 0 and "\x1b[" in printed and "`double" not in printed
    assert "double(value)" in printed


def test_nothing_but_json_on_standard_output(root: Path) -> None:
    write(root, "ch1/double", 'import os\nos.write(1, b"noise")\nprint("noise")\n' + SOLUTION)
    done = start(root, "ch1/double", "--format", "json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.startswith(b"{\n") and done.stdout.endswith(b"}\n")
    assert done.stdout.decode().count('"title"') == 9 and "翻倍" not in done.stdout.decode()
    assert b"+ Twice as much" in done.stderr


def test_a_reader_that_leaves_is_no_trouble(root: Path) -> None:
    line = f"{sys.executable} start.py list | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=root, env=environment(), capture_output=True, timeout=60
    )
    assert done.returncode == 141 and done.stderr == b""


@linux
@pytest.mark.parametrize("words", [["list"], ["start", "ch1/double"]])
def test_a_full_disk_is_told_in_one_sentence(root: Path, words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "start.py", *words],
            cwd=root, env=environment(), stdout=full, stderr=subprocess.PIPE, timeout=60,
        )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr == b"The output cannot be written: No space left on device.\n"


def test_closed_standard_streams_are_no_trouble(root: Path) -> None:
    line = f"{sys.executable} start.py list >&- 2>&-"
    assert (
        subprocess.run(["bash", "-c", line], cwd=root, env=environment(), timeout=60).returncode
        == 0
    )


@pytest.fixture
def read_only(root: Path) -> Iterator[Path]:
    """A course in which nothing can be written."""
    write(root, "ch1/double", SOLUTION)
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o555)
    yield root
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755)


def obey_permissions() -> None:
    """In a child before its program: give up root's right to write everywhere."""
    drop_from_bounding_set, dac_override = 24, 1
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(drop_from_bounding_set, dac_override, 0, 0, 0):
        raise OSError("root without root's rights is not to be had here")


@linux
def test_a_checkout_that_cannot_be_written_still_judges(read_only: Path) -> None:
    try:
        done = subprocess.run(
            [sys.executable, "-B", "start.py", "ch1"], cwd=read_only, env=environment(),
            capture_output=True, text=True, timeout=60, preexec_fn=obey_permissions,
        )  # fmt: skip
    except subprocess.SubprocessError as error:
        if os.environ.get("CI", "").lower() in ("true", "1"):
            raise  # there the real thing must run
        pytest.skip(str(error))
    assert done.returncode == 1, done.stderr
    assert " 9/9 " in done.stdout
    assert "practice/ch1/relay.py cannot be made: Permission denied." in done.stdout
    assert not read_only.joinpath("practice/.state.json").exists()


def test_a_tier_that_the_machine_does_not_give_is_refused(root: Path) -> None:
    write(root, "ch1/double", SOLUTION)
    done = start(root, "ch1/double", "--format", "json", "--require-tier", "1", PATH="/nowhere")
    found = from_json(done.stdout)
    assert done.returncode == 3 and found.verdict is Outcome.INTERNAL and found.blame == "judge"
    assert "tier 1 is required" in (found.message or "")
