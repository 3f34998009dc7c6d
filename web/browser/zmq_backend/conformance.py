"""Run pyzmq's own tests on the stand-in, on CPython or in the page's Python under Node.

    python -m web.browser.zmq_backend.conformance [--page] [pytest arguments]

The tests are those of pyzmq's source distribution, fetched once by pip into `.cache/` and checked
against `pyzmq.toml`; they are not part of this repository. What cannot pass is listed with its
reason in `excluded.toml`. Prints pytest's report and, last, the counts as JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parents[2] / ".cache" / "pyzmq-sdist"
LIMIT = 180.0  # seconds for the whole run
ONE_TEST = 20  # seconds until a test that hangs ends the run on CPython, with a traceback
BACKEND = "minisgl_page_zmq"

_IN_PAGE = """
import os, sys
os.chdir("/home/pyodide/pyzmq")
sys.path.insert(0, os.getcwd())
import pytest
pytest.main({arguments!r})
with open("report.xml") as report:
    print({mark!r} + report.read())
"""
_MARK = "THE REPORT:"


def source() -> Path:
    """The source distribution, checked. Errors: RuntimeError if it cannot be had or is another."""
    pinned = tomllib.loads((HERE / "pyzmq.toml").read_text())
    archive = CACHE / pinned["file"]
    if not archive.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--no-binary", "pyzmq", "--dest", str(CACHE), f"pyzmq=={pinned['version']}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        if done.returncode != 0 or not archive.exists():
            raise RuntimeError(f"pip could not fetch {pinned['file']}:\n{done.stderr[-1000:]}")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != pinned["sha256"]:
        raise RuntimeError(f"{archive} has sha256 {digest}, not {pinned['sha256']}")
    return archive


def excluded(in_page: bool = False) -> dict[str, str]:
    """Test, or test file, to the reason why it is not run."""
    listed = tomllib.loads((HERE / "excluded.toml").read_text())
    return {**listed["excluded"], **listed["excluded_in_page" if in_page else "excluded_here"]}


def run(arguments: list[str]) -> Counter[str]:
    """How many tests passed, failed, were skipped, and the failed ones' names as `failed NAME`."""
    with tempfile.TemporaryDirectory() as folder:
        root = _unpack(Path(folder))
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", *_arguments(excluded()), f"--junitxml={report}"]
        command += ["-o", f"faulthandler_timeout={ONE_TEST}"]
        command += ["-o", "faulthandler_exit_on_timeout=true"]
        environment = dict(os.environ, PYZMQ_BACKEND=BACKEND, PYTHONPATH=str(HERE))
        environment.pop("ZMQ_TEST_TIMEOUT", None)  # pyzmq's conftest does not take it as text
        subprocess.run(command + arguments, cwd=root, env=environment, timeout=LIMIT, check=False)
        return _count(report.read_text()) if report.exists() else Counter({"died": 1})


def run_in_page(arguments: list[str]) -> Counter[str]:
    """The same in the page's Python, under Node. TimeoutError if it does not end in time."""
    from web.browser.build import ensure_runtime
    from web.browser.node import run_in_node

    with tempfile.TemporaryDirectory() as folder:
        tests = _unpack(Path(folder)) / "tests"
        files = {f"tests/{path.name}": path.read_text() for path in tests.glob("*.py")}
    plugin = HERE / "coroutine_tests.py"
    files[plugin.name] = plugin.read_text()
    words = [*_arguments(excluded(in_page=True)), "--junitxml=report.xml", "--capture=sys"]
    words += ["-p", "no:faulthandler", "-o", "junit_logging=no", *arguments]
    done = run_in_node(
        _IN_PAGE.format(arguments=words, mark=_MARK),
        ensure_runtime(),
        files={f"/home/pyodide/pyzmq/{path}": text for path, text in files.items()},
        timeout=LIMIT,
    )
    said, _, report = done.stdout.partition(_MARK)
    print(said + done.stderr)
    return _count(report) if report else Counter({"died": 1})


def _unpack(folder: Path) -> Path:
    with tarfile.open(source()) as archive:
        members = [m for m in archive.getmembers() if m.name.split("/")[1:2] == ["tests"]]
        archive.extractall(folder, members=members, filter="data")
    (root,) = folder.iterdir()
    return root


def _arguments(left_out: dict[str, str]) -> list[str]:
    words = ["tests", "-q", "--tb=short", "-W", "ignore"]
    words += ["-p", "no:cacheprovider", "-p", "coroutine_tests"]
    for name in left_out:
        words += ["--ignore" if name.endswith(".py") else "--deselect", f"tests/{name}"]
    return words


def _count(report: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for case in ElementTree.fromstring(report).iter("testcase"):
        outcomes = {child.tag for child in case} & {"failure", "error", "skipped"}
        outcome = "skipped" if outcomes == {"skipped"} else "failed" if outcomes else "passed"
        counts[outcome] += 1
        if outcome == "failed":
            counts[f"failed {case.get('classname')}.{case.get('name')}"] += 1
    return counts


def main() -> None:
    arguments = sys.argv[1:]
    in_page = "--page" in arguments
    counts = (run_in_page if in_page else run)([a for a in arguments if a != "--page"])
    print(json.dumps(counts))
    sys.exit(0 if not counts["failed"] and counts["passed"] else 1)


if __name__ == "__main__":
    main()
