#!/usr/bin/env python3
"""Make this checkout ready: a Python that has every dependency, and the programs of the system.

Every start goes through `ensure`, so it costs milliseconds when nothing is missing. It uses the
standard library alone, stays readable for Python 3.8 (which must be able to say that it is too
old), and never writes to standard output: `--format json` prints JSON there.

    python3 tools/environment.py [--tests] [-- ARGUMENTS OF A PYTHON THAT HAS IT ALL]
"""

from __future__ import annotations

import contextlib
import json
import operator
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import deque
from typing import Iterator, NamedTuple, NoReturn  # noqa: UP035 - Python 3.8 reads this file

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
CONSTRAINTS = os.path.join(ROOT, "constraints.txt")
STAMP = os.path.join(VENV, "stamp.json")  # in .venv, so that it goes when .venv goes
NOTES = os.path.join(ROOT, ".cache", "environment")

PYTHONS = ((3, 11), (3, 12), (3, 13))  # requires-python, for a Python that cannot read TOML yet

# Counts the starts of one run. A normal run needs at most four: another Python, a clean one,
# .venv, and .venv once more after a repair.
STARTS, STARTS_AT_MOST = "MINISGL_PRACTICE_STARTS", 6

# A folder of PYTHONPATH may hold a torch.py or a numpy of another Python, PYTHONHOME hides .venv
# from its own Python, and without assert statements every test would pass.
UNWANTED = ("PYTHONPATH", "PYTHONHOME", "PYTHONOPTIMIZE")


COMPARE = {">=": operator.ge, "==": operator.eq, "<": operator.lt}


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
}

MANAGERS = {"apt-get": "apt-get install", "dnf": "dnf install", "pacman": "pacman -S"}


class SetUpError(Exception):
    """The set-up cannot go on. Holds the reason in English and in Chinese."""


def ensure(groups: tuple[str, ...] = (), system: tuple[str, ...] = (), retry: bool = False) -> None:
    """Return in a Python that has all dependencies, or start this program again in one.

    `groups` are optional-dependencies of pyproject.toml, `system` names of `SYSTEM`; `retry` tries
    again what could not be installed before. Exits with 3 if that fails and 130 on Ctrl-C.
    """
    try:
        start_with_suitable_python()
        find_packages(groups)
        find_programs(system, retry)
    except SetUpError as error:
        say(*error.args)
        sys.exit(3)
    except OSError as error:
        say(f"set-up failed: {error}", f"准备失败：{error}")
        sys.exit(3)
    except KeyboardInterrupt:
        say("set-up stopped; the next start repairs it", "准备已中断；下次启动会接着修复")
        sys.exit(130)
    os.environ.pop(STARTS, None)


# --- which Python -------------------------------------------------------------------------------


def start_with_suitable_python() -> None:
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
    return ".".join(map(str, version))


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in UNWANTED}


def restart(python: str) -> NoReturn:
    """Become `python` with the same arguments."""
    starts = int(os.environ.get(STARTS, "0")) + 1
    if starts > STARTS_AT_MOST:
        raise SetUpError(
            f"set-up goes in circles, last with {python}. Delete {VENV} and start again.",
            f"准备过程在循环，最后一次用的是 {python}。请删除 {VENV} 后重试。",
        )
    os.execve(python, [python, *sys.argv], {**clean_environment(), STARTS: str(starts)})


# --- the packages of pyproject.toml -------------------------------------------------------------


def find_packages(groups: tuple[str, ...]) -> None:
    project = read_project()
    stamp = read_json(STAMP)
    fits = stamp is not None and stamp_fits(stamp, project, groups)
    if os.path.realpath(sys.prefix) == os.path.realpath(VENV):
        # No stamp: a .venv made by hand. It may be anything that the ranges allow.
        same_python = stamp is None or stamp.get("python") == list(sys.version_info[:2])
        if (fits or stamp is None) and same_python and has_all(requirements(project, groups)):
            return
    elif has_all(requirements(project, groups)):
        return
    elif fits or (stamp is None and version_of(VENV_PYTHON) in PYTHONS):
        restart(VENV_PYTHON)
    with lock() as (waited, descriptor):
        if waited:  # whoever held the lock may have done all of it: look again
            restart(sys.executable)
        install_packages(project, groups, descriptor)
    restart(VENV_PYTHON)


def read_project() -> dict:
    """The table `project` of pyproject.toml, and a digest of all that decides what to install."""
    import hashlib
    import tomllib

    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    with open(CONSTRAINTS, "rb") as file:
        digest = hashlib.sha256(file.read())
    lists = [project["dependencies"], project.get("optional-dependencies", {})]
    digest.update(json.dumps(lists).encode())
    return {**project, "digest": digest.hexdigest()}


def requirements(project: dict, groups: tuple[str, ...]) -> list[str]:
    optional = project.get("optional-dependencies", {})
    return project["dependencies"] + [line for group in groups for line in optional[group]]


def has_all(wanted: list[str]) -> bool:
    """Whether the running interpreter meets these requirements."""
    from importlib.metadata import PackageNotFoundError, version

    for requirement in wanted:
        name, conditions = read_requirement(requirement)
        try:
            got = numbers(version(name))
        except (PackageNotFoundError, KeyError):  # KeyError: an uninstall that was cut short
            return False
        if not all(COMPARE[how](got, numbers(bound)) for how, bound in conditions):
            return False
    return True


def read_requirement(requirement: str) -> tuple[str, list[tuple[str, str]]]:
    """`a>=1.2,<3` as `a` and its conditions."""
    one = r"\s*(>=|==|<)\s*([\d.]+)\s*"
    match = re.fullmatch(rf"([\w.-]+)((?:{one}(?:,|$))*)", requirement)
    if match is None:
        raise SetUpError(
            f'pyproject.toml: cannot read "{requirement}"; write it like "name>=1.2,<3"',
            f'pyproject.toml：读不懂 "{requirement}"；请写成 "name>=1.2,<3" 这样的形式',
        )
    return match.group(1), re.findall(one, match.group(2))


def numbers(version: str | None) -> list[int]:
    """The release of a version without trailing zeros: `2.10.0+cpu` is [2, 10]."""
    release = re.match(r"[\d.]*", version or "").group()
    parts = [int(part) for part in release.split(".") if part]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def stamp_fits(stamp: dict, project: dict, groups: tuple[str, ...]) -> bool:
    return (
        stamp.get("digest") == project["digest"]
        and set(groups) <= set(stamp["groups"])
        and os.access(VENV_PYTHON, os.X_OK)
    )


def install_packages(project: dict, groups: tuple[str, ...], lock_descriptor: int) -> None:
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


@contextlib.contextmanager
def lock() -> Iterator[tuple[bool, int]]:
    """One set-up at a time in this checkout. Yields whether it had to wait, and the descriptor."""
    import fcntl

    os.makedirs(NOTES, exist_ok=True)
    with open(os.path.join(NOTES, "lock"), "w") as file:
        waited = False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = True
            say("set-up: another start is at it; waiting", "准备：另一个进程正在准备，等待中")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield waited, file.fileno()


# --- the programs of the system -----------------------------------------------------------------


def find_programs(names: tuple[str, ...], retry: bool) -> None:
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


def root_with_apt() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: list[str]) -> bool:
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


def how_to_install(names: list[str]) -> tuple[str, str]:
    manager = next(filter(shutil.which, MANAGERS), None)
    english, chinese = [], []
    for name in names:
        purpose, purpose_zh = SYSTEM[name].purpose
        package = SYSTEM[name].packages.get(manager or "", name)
        command = f": sudo {MANAGERS[manager]} {package}" if manager else ""
        english.append(f"{name} is not installed ({purpose}). Please install it{command}")
        chinese.append(f"没有安装 {name}（{purpose_zh}）。请安装{command}")
    return "\n".join(english), "\n".join(chinese)


# --- small things -------------------------------------------------------------------------------


def say(english: str, chinese: str) -> None:
    if sys.stderr is not None:  # print() would take None for standard output
        print(chinese if speaks_chinese() else english, file=sys.stderr, flush=True)


def speaks_chinese() -> bool:
    arguments = " ".join(sys.argv).replace("--lang=", "--lang ")
    asked = re.search(r"--lang (\w+)", arguments)
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    settings = [os.environ[name] for name in names if os.environ.get(name)]
    return (asked.group(1) if asked else "".join(settings[:1])).startswith("zh")


def on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


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


def quote(lines: list[str]) -> str:
    return "\n".join(f"  | {line}" for line in lines[-10:])


def read_json(path: str) -> dict | None:
    """None if there is none; {} if it cannot be read, which is never taken for a good one."""
    try:
        with open(path, encoding="utf-8") as file:
            return dict(json.load(file))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError):
        return {}


def write_json(path: str, value: dict) -> None:
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(path + ".new", path)


def restore(path: str, value: dict | None) -> None:
    if value is None:
        os.remove(path)
    else:
        write_json(path, value)


def main() -> None:
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    own, command = sys.argv[1:at], sys.argv[at + 1 :]
    if set(own) - {"--tests"}:
        print((__doc__ or "").rsplit("\n\n", 1)[-1].strip("\n"), file=sys.stderr)
        sys.exit(2)
    ensure(("test",) if "--tests" in own else (), tuple(SYSTEM), retry=True)
    if command:
        os.execv(sys.executable, [sys.executable, *command])
    say(f"ready: {sys.executable}", f"已就绪：{sys.executable}")


if __name__ == "__main__":
    main()
