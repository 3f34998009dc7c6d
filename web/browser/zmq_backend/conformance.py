"""Run pyzmq's own tests on the stand-in, on CPython.

    python web/browser/zmq_backend/conformance.py [pytest arguments]

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
ONE_TEST = 20  # seconds until a test that hangs ends the run, with a traceback


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


def excluded() -> dict[str, str]:
    """Test, or test file, to the reason why it is not run."""
    return dict(tomllib.loads((HERE / "excluded.toml").read_text())["excluded"])


def run(arguments: list[str], backend: str = "minisgl_page_zmq") -> Counter[str]:
    """How many tests passed, failed, were skipped, and the failed ones' names as `failed NAME`."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(source()) as archive:
            members = [m for m in archive.getmembers() if m.name.split("/")[1:2] == ["tests"]]
            archive.extractall(folder, members=members, filter="data")
        (root,) = Path(folder).iterdir()
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "tests", "-q", "--tb=short", "-W", "ignore"]
        command += ["-p", "no:cacheprovider", "-p", "coroutine_tests", f"--junitxml={report}"]
        command += ["-o", f"faulthandler_timeout={ONE_TEST}"]
        command += ["-o", "faulthandler_exit_on_timeout=true"]
        for name in excluded():
            command += ["--ignore" if name.endswith(".py") else "--deselect", f"tests/{name}"]
        environment = dict(os.environ, PYZMQ_BACKEND=backend, PYTHONPATH=str(HERE))
        environment.pop("ZMQ_TEST_TIMEOUT", None)  # pyzmq's conftest does not take it as text
        subprocess.run(
            command + arguments, cwd=root, env=environment, timeout=LIMIT, check=False
        )
        return _count(report) if report.exists() else Counter({"died": 1})


def _count(report: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        outcomes = {child.tag for child in case} & {"failure", "error", "skipped"}
        outcome = "skipped" if outcomes == {"skipped"} else "failed" if outcomes else "passed"
        counts[outcome] += 1
        if outcome == "failed":
            counts[f"failed {case.get('classname')}.{case.get('name')}"] += 1
    return counts


def main() -> None:
    counts = run(sys.argv[1:])
    print(json.dumps(counts))
    sys.exit(0 if not counts["failed"] and counts["passed"] else 1)


if __name__ == "__main__":
    main()
