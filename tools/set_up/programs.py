"""The programs of the system that this checkout uses, and how each is installed."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from typing import NamedTuple

from .apt import apt_install, root_with_apt
from .console import SetUpError, say
from .lock import lock
from .notes import read_json, write_json
from .places import NOTES


class Program(NamedTuple):
    """A program of the system. `commands`: any of them will do; `packages`: by package manager."""

    commands: tuple[str, ...]
    packages: dict[str, str]
    purpose: tuple[str, str]
    platform: str = "linux"

    @property
    def absent(self) -> bool:
        return sys.platform == self.platform and not any(map(shutil.which, self.commands))


SYSTEM = {
    "bubblewrap": Program(
        commands=("bwrap",),
        packages={"apt-get": "bubblewrap", "dnf": "bubblewrap", "pacman": "bubblewrap"},
        purpose=("it walls a submission off from your files", "它把提交的代码与你的文件隔开"),
    ),
    "chromium": Program(
        commands=("chromium", "chromium-browser", "google-chrome"),
        packages={"apt-get": "chromium", "dnf": "chromium", "pacman": "chromium"},
        purpose=("the tests use the page in it", "测试要在其中使用网页"),
    ),
}

MANAGERS = {"apt-get": "apt-get install", "dnf": "dnf install", "pacman": "pacman -S"}


def find_programs(names: tuple[str, ...], retry: bool) -> None:
    """Install absent programs, or say once how to; `retry` tries and says it again.

    Raises `SetUpError` in CI, where a program that lacks must not pass unseen.
    """
    absent = [name for name in names if SYSTEM[name].absent]
    if not absent:
        return
    ci = os.environ.get("CI", "").lower() in ("true", "1")
    known = os.path.join(NOTES, "system.json")
    done = read_json(known) or {}
    outcome = "failed" if root_with_apt() else "told"
    due = [name for name in absent if retry or ci or done.get(name) != outcome]
    if not due:
        return
    if root_with_apt():
        with lock():  # a second start finds it done
            packages = [SYSTEM[name].packages["apt-get"] for name in due if SYSTEM[name].absent]
            if not packages or apt_install(packages):
                return
    if ci:
        raise SetUpError(*how_to_install(due))
    say(*how_to_install(due))
    with contextlib.suppress(OSError):  # a checkout that cannot be written is told every time
        os.makedirs(NOTES, exist_ok=True)
        write_json(known, {**done, **dict.fromkeys(due, outcome)})


def how_to_install(names: list[str]) -> tuple[str, str]:
    """A sentence per program, with this machine's command; in English and Chinese."""
    manager = next(filter(shutil.which, MANAGERS), None)
    english, chinese = [], []
    for name in names:
        purpose, purpose_zh = SYSTEM[name].purpose
        package = SYSTEM[name].packages.get(manager or "", name)
        command = f": sudo {MANAGERS[manager]} {package}" if manager else ""
        english.append(f"{name} is not installed ({purpose}). Please install it{command}")
        chinese.append(f"没有安装 {name}（{purpose_zh}）。请安装{command}")
    return "\n".join(english), "\n".join(chinese)
