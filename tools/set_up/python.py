"""Which Python: one that is new enough, started without settings that would mislead it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from typing import NoReturn

from .commands import UNWANTED, clean_environment
from .console import SetUpError, say
from .places import VENV, VENV_PYTHON

PYTHONS = ((3, 11), (3, 12), (3, 13))  # requires-python, for a Python that cannot read TOML yet

# Counts the starts of one run. A normal run needs at most four: another Python, a clean one,
# .venv, and .venv once more after a repair.
STARTS, STARTS_AT_MOST = "MINISGL_PRACTICE_STARTS", 6


def start_with_suitable_python() -> None:
    """Return in a suitable Python or restart in one. Raises `SetUpError` if there is none."""
    if os.name != "posix":
        raise SetUpError(
            "Windows itself is not supported: run this inside WSL.",
            "不支持直接在 Windows 上运行：请在 WSL 中运行。",
        )
    if sys.version_info[:2] in PYTHONS:
        if sys.flags.optimize or any(os.environ.get(name) for name in UNWANTED):
            restart(sys.executable)
        return
    this = dotted(sys.version_info[:2])
    if version_of(VENV_PYTHON) in PYTHONS:
        restart(VENV_PYTHON)
    for name in [*(f"python{dotted(version)}" for version in reversed(PYTHONS)), "python3"]:
        python = shutil.which(name)
        if python and version_of(python) in PYTHONS:
            say(
                f"needs Python 3.11 to 3.13, this is {this}; going on with {python}",
                f"需要 Python 3.11 到 3.13，当前是 {this}；改用 {python} 继续",
            )
            restart(python)
    script = shlex.quote(sys.argv[0])
    raise SetUpError(
        f"needs Python 3.11 to 3.13, this is {this}, and PATH holds no other.\n"
        f"Install one, for example Python 3.12, then run: python3.12 {script} …",
        f"需要 Python 3.11 到 3.13，当前是 {this}，PATH 里也没有别的版本。\n"
        f"请先安装一个，例如 Python 3.12，然后运行：python3.12 {script} …",
    )


def version_of(python: str, module: str = "sys") -> tuple[int, ...] | None:
    """The version of an interpreter that can import `module`; None if there is none like that."""
    code = f"import sys, {module}; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [python, "-I", "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=30,
            env=clean_environment(),
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    # A version manager leaves commands on PATH that only say the version is not installed.
    return tuple(map(int, answer.split())) if re.fullmatch(r"\d+ \d+\s*", answer) else None


def dotted(version: tuple[int, ...]) -> str:
    """`(3, 12)` as `3.12`."""
    return ".".join(map(str, version))


def restart(python: str) -> NoReturn:
    """Become `python` with the same arguments."""
    starts = int(os.environ.get(STARTS, "0")) + 1
    if starts > STARTS_AT_MOST:
        raise SetUpError(
            f"set-up goes in circles, last with {python}. Delete {VENV} and start again.",
            f"准备过程在循环，最后一次用的是 {python}。请删除 {VENV} 后重试。",
        )
    os.execve(python, [python, *sys.argv], {**clean_environment(), STARTS: str(starts)})
