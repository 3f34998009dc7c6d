"""Filling .venv with pip, and saying what helps where that fails."""

from __future__ import annotations

import os
import shlex
import sys
import time

from .apt import apt_install, root_with_apt
from .commands import run
from .console import SetUpError, on_terminal, quote, say
from .notes import read_json, restore, write_json
from .places import CONSTRAINTS, STAMP, VENV, VENV_PYTHON
from .python import PYTHONS, dotted, version_of
from .requirements import read_requirement, requirements


def install_packages(project: dict, groups: tuple[str, ...], lock_descriptor: int) -> None:
    """Install the groups into .venv, made first if need be. Raises `SetUpError` if pip fails.

    Until it is done an empty stamp says that .venv is not to be trusted.
    """
    began = time.monotonic()
    before = read_json(STAMP)
    unfinished = before == {}
    if unfinished:
        say("set-up: the last one did not finish; starting over", "准备：上次没有完成，重新开始")
    made = unfinished or version_of(VENV_PYTHON, "pip") not in PYTHONS
    if made:
        make_venv()
    if before:
        groups = tuple(sorted({*groups, *before["groups"]}))  # what is there stays
    wanted = requirements(project, groups)
    write_json(STAMP, {})  # killed from here on, .venv may hold halves of packages
    announce_download(wanted)
    command = [VENV_PYTHON, "-I", "-m", "pip", "install", "-c", CONSTRAINTS, *wanted]
    # PIP_USER in the user's settings would make pip refuse to install into any .venv.
    settings = {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if not on_terminal():
        settings.update(PIP_NO_INPUT="1", PIP_PROGRESS_BAR="off")
    shown = ("Collecting", "Downloading", "Using cached", "Installing", "WARNING: Retrying")
    # The lock's descriptor goes along: if only this process is killed, pip still holds the lock.
    code, tail = run(command, settings, shown, keep=(lock_descriptor,))
    if code != 0:
        if not made:  # pip failed by itself, so it left .venv as it was
            restore(STAMP, before)
        english, chinese = advice(tail)
        shell = shlex.join(command)
        raise SetUpError(
            f"set-up failed: pip could not install the packages.\n{quote(tail)}\n"
            f"the command was: {shell}\n{english}",
            f"准备失败：pip 没能装好所需的包。\n{quote(tail)}\n失败的命令：{shell}\n{chinese}",
        )
    python = version_of(VENV_PYTHON)
    write_json(STAMP, {"digest": project["digest"], "groups": list(groups), "python": python})
    seconds = round(time.monotonic() - began)
    say(f"set-up: done in {seconds} s", f"准备：完成，用时 {seconds} 秒")


def make_venv() -> None:
    """Make an empty .venv. Raises `SetUpError` if that fails."""
    python = getattr(sys, "_base_executable", None) or sys.executable  # .venv cannot clear itself
    name = f"python{dotted(sys.version_info[:2])}"
    say(f"set-up: making .venv with {name}", f"准备：用 {name} 创建 .venv")
    command = [python, "-I", "-m", "venv", "--clear", VENV]
    code, tail = run(command)
    if code != 0 and root_with_apt() and apt_install([f"{name}-venv"]):  # Debian splits it off
        code, tail = run(command)
    if code != 0:
        shell = shlex.join(command)
        raise SetUpError(
            f"set-up failed: .venv could not be made.\n{quote(tail)}\nthe command was: {shell}\n"
            f"On Debian or Ubuntu `sudo apt-get install {name}-venv` may be what is missing.",
            f"准备失败：无法创建 .venv。\n{quote(tail)}\n失败的命令：{shell}\n"
            f"在 Debian 或 Ubuntu 上，可能需要先运行 `sudo apt-get install {name}-venv`。",
        )


def announce_download(wanted: list[str]) -> None:
    """Say what will be installed, and warn of torch's large build."""
    names = [read_requirement(requirement)[0] for requirement in wanted]
    listed = ", ".join(names)
    say(f"set-up: installing {listed} (once)", f"准备：安装 {listed}（只需一次）")
    sources = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS")
    chosen = any(os.environ.get(source) for source in sources)
    if sys.platform == "linux" and "torch" in names and not chosen:
        say(
            "set-up: torch's usual build for Linux downloads about 3 GB, mostly GPU libraries. A\n"
            "CPU build (about 0.2 GB) is enough: choose one with pip's own settings, that is\n"
            "PIP_INDEX_URL, PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS.",
            "准备：torch 在 Linux 上的默认构建要下载约 3 GB，大部分是 GPU 库。\n"
            "用 CPU 构建（约 0.2 GB）就够了：可通过 pip 自己的设置选择，即\n"
            "PIP_INDEX_URL、PIP_EXTRA_INDEX_URL 或 PIP_FIND_LINKS。",
        )


def advice(tail: list[str]) -> tuple[str, str]:
    """What helps, by what pip said last; in English and Chinese."""
    said = "\n".join(tail).lower()
    if "no space left" in said or "disk quota" in said:
        return (
            "The disk is full: free some space (a CPU build of torch needs about 1 GB, the usual\n"
            "build for Linux about 8 GB), then start again.",
            "磁盘已满：请腾出空间再重试（torch 的 CPU 构建约需 1 GB，Linux 默认构建约需 8 GB）。",
        )
    signs = ("connection", "name resolution", "timed out", "unreachable", "proxy", "max retries")
    if any(sign in said for sign in signs):
        return (
            "pip could not reach its package index. Check the network and HTTPS_PROXY, or name an\n"
            "index or a folder of packages with PIP_INDEX_URL or PIP_FIND_LINKS; then start again.",
            "pip 连不上软件包索引。请检查网络和 HTTPS_PROXY，或用 PIP_INDEX_URL、PIP_FIND_LINKS\n"
            "指定别的索引或本地目录，然后重试。",
        )
    if "no matching distribution" in said or "resolutionimpossible" in said:
        return (
            "The index has no build for this Python and machine in the version that\n"
            "constraints.txt asks for. Delete .venv and start with another Python from 3.11 to\n"
            "3.13, or name another index with PIP_INDEX_URL.",
            "索引里没有适合当前 Python 和机器、且符合 constraints.txt 的版本。请删除 .venv，\n"
            "换一个 3.11 到 3.13 的 Python 重新启动，或用 PIP_INDEX_URL 指定别的索引。",
        )
    return (
        "Start again; if it fails in the same way, delete .venv and start once more.",
        "请重试；如果仍然同样失败，删除 .venv 再试一次。",
    )
