"""Running other programs: in a clean environment, showing what they say, remembering its end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque

from .console import on_terminal, say

# A folder of PYTHONPATH may hold a torch.py or a numpy of another Python, PYTHONHOME hides .venv
# from its own Python, and without assert statements every test would pass.
UNWANTED = ("PYTHONPATH", "PYTHONHOME", "PYTHONOPTIMIZE")


def clean_environment() -> dict[str, str]:
    """The environment for a child, without settings that would mislead its Python."""
    return {name: value for name, value in os.environ.items() if name not in UNWANTED}


def run(
    command: list[str],
    settings: dict[str, str] | None = None,
    shown: tuple[str, ...] = (),
    keep: tuple[int, ...] = (),
) -> tuple[int, list[str]]:
    """Run a command; return its exit code and the last lines it said.

    On a terminal its standard output, with any progress bar, goes to standard error as it is.
    Elsewhere only the lines that begin with one of `shown` do. `keep`: descriptors it inherits.
    """
    terminal = on_terminal()
    child = subprocess.Popen(
        command,
        stdin=None if terminal and sys.stdin and sys.stdin.isatty() else subprocess.DEVNULL,
        stdout=2 if terminal else subprocess.PIPE,
        stderr=subprocess.PIPE if terminal else subprocess.STDOUT,
        env={**clean_environment(), **(settings or {})},
        pass_fds=keep,
    )
    tail: deque[str] = deque(maxlen=40)
    try:
        for raw in child.stderr if terminal else child.stdout:
            line = raw.decode(errors="replace").strip()
            if line:
                tail.append(line)
            if line.startswith(shown or "\0"):
                say(line, line)
        return child.wait(), list(tail)
    except BaseException:
        # Ctrl-C reaches the child as well: let it remove its temporary files, but not for ever.
        try:
            child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            pass
        finally:
            child.kill()
        raise
