"""What this machine has for judging, as findings with what to do where something is amiss."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import msgspec

from judge.texts import Text

# "note": judging works, but not as well as it could.
Level = Literal["good", "note", "bad"]

NEEDED_MIB = 200
SET_UP = Text(
    "install what is missing: python3 tools/environment.py",
    "安装缺少的依赖：python3 tools/environment.py",
)
SUPPORTED_PYTHONS = ((3, 11), (3, 12), (3, 13))


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at. `mend` says what to do about it, where there is something to do."""

    level: Level
    subject: Text
    value: str
    mend: Text | None = None


def findings(root: Path) -> Iterator[Finding]:
    yield _python()
    yield from _packages(root)
    yield _temporary_folder()
    yield _locale()


def _python() -> Finding:
    good = sys.version_info[:2] in SUPPORTED_PYTHONS
    mend = (
        None if good else Text("use Python 3.11, 3.12 or 3.13", "请使用 Python 3.11、3.12 或 3.13")
    )
    value = f"{platform.python_version()}  {sys.executable}"
    return Finding("good" if good else "bad", Text("Python", "Python"), value, mend)


def _packages(root: Path) -> Iterator[Finding]:
    """The packages that pyproject.toml asks for, against the versions of constraints.txt."""
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        pinned = _pinned((root / "constraints.txt").read_text("utf-8"))
    except (OSError, ValueError, KeyError):
        return
    for requirement in project["dependencies"]:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        wanted = pinned.get(name.lower())
        try:
            have = version(name)
        except PackageNotFoundError:
            yield Finding("bad", Text(name, name), "—", SET_UP)
            continue
        # A build's own mark, such as +cpu, is not part of the version that was checked.
        if wanted is None or have.partition("+")[0] == wanted:
            yield Finding("good", Text(name, name), have)
        else:
            mend = Text(
                f"the course was checked with {wanted}; to get it, delete .venv and start again",
                f"课程用 {wanted} 检查过；要换成它，请删除 .venv 后重新运行",
            )
            yield Finding("note", Text(name, name), have, mend)


def _pinned(constraints: str) -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in constraints.splitlines())
    pairs = (line.partition("==") for line in lines if "==" in line)
    return {name.strip().lower(): number.strip() for name, _, number in pairs}


def _temporary_folder() -> Finding:
    """Queues need a short path: the system's own folder, not one that $TMPDIR names."""
    subject = Text("temporary folder", "临时目录")
    folder = "/tmp" if os.access("/tmp", os.W_OK) else tempfile.gettempdir()
    try:
        free = shutil.disk_usage(folder).free // 2**20
    except OSError as error:
        mend = Text("make /tmp writable", "请让 /tmp 可写")
        return Finding("bad", subject, f"{folder}: {error.strerror}", mend)
    value = f"{folder}, {free} MiB"
    if folder != "/tmp":
        mend = Text(
            "make /tmp writable: the paths of ZMQ's ipc sockets must be short",
            "请让 /tmp 可写：ZMQ 的 ipc 套接字路径必须很短",
        )
        return Finding("note", subject, value, mend)
    if free < NEEDED_MIB:
        mend = Text(f"free at least {NEEDED_MIB} MiB there", f"请在那里腾出至少 {NEEDED_MIB} MiB")
        return Finding("note", subject, value, mend)
    return Finding("good", subject, value)


def _locale() -> Finding:
    subject = Text("locale", "语言环境")
    encoding = getattr(sys.stdout, "encoding", None) or "?"
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    value = next((f"{name}={os.environ[name]}" for name in names if os.environ.get(name)), "—")
    if encoding.lower().replace("-", "").startswith("utf8"):
        return Finding("good", subject, f"{value}, {encoding}")
    mend = Text(
        "set LANG=C.UTF-8 or another UTF-8 locale, or symbols and Chinese appear as escapes",
        "请设置 LANG=C.UTF-8 或别的 UTF-8 语言环境，否则符号和中文会显示成转义",
    )
    return Finding("note", subject, f"{value}, {encoding}", mend)
