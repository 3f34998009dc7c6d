"""Installing packages of Debian and its kin, where this process may."""

from __future__ import annotations

import os
import shlex
import shutil

from .commands import run
from .console import quote, say


def root_with_apt() -> bool:
    """Whether this process may install packages, and knows how."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: list[str]) -> bool:
    """Install Debian packages, telling what happens; whether that worked."""
    names = " ".join(packages)
    say(f"set-up: installing {names} with apt-get", f"准备：用 apt-get 安装 {names}")
    settings = {"DEBIAN_FRONTEND": "noninteractive"}
    options = ["-o", "DPkg::Lock::Timeout=60"]  # another apt-get may be at work
    install = ["apt-get", *options, "install", "--yes", "--no-install-recommends", *packages]
    code, _ = run(install, settings)
    if code != 0:  # a fresh container has no package lists yet
        say("set-up: fetching the package lists", "准备：更新软件包列表")
        run(["apt-get", *options, "update"], settings)
        code, tail = run(install, settings)
        if code != 0:
            command = shlex.join(install)
            say(f"{quote(tail)}\nfailed: {command}", f"{quote(tail)}\n失败的命令：{command}")
    return code == 0
