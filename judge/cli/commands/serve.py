"""`judge.py serve`: the site on this machine. The site is another house: it is loaded by name, and only here."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import webbrowser
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from judge.cli.interrupts import STOPPED, Terminated, no_interrupts
from judge.cli.names import COMMANDS, PROGRAM
from judge.cli.parsing import Command, Option, tier_option
from judge.cli.session import Refusal, Session
from judge.cli.walls import isolation_words
from judge.texts import Text

PORT = Text(
    "the port (default 8000; 0 takes any that is free)", "端口（默认 8000，0 表示任选空闲的）"
)
HOST = Text(
    "the address to listen on (default 127.0.0.1: this machine only)",
    "监听的地址（默认 127.0.0.1，即只有本机可以访问）",
)
WORKERS = Text("grading processes (default 1)", "评测进程的数量（默认 1）")
DATA = Text(
    "where the database and the secret key lie (default .data)",
    "数据库和密钥所在的目录（默认 .data）",
)
NO_BROWSER = Text("do not open the page in a browser", "不自动打开浏览器")

PREPARING = Text("Starting the judge …", "正在启动评测程序……")
SERVING = Text(
    "The site is at {address} . Ctrl-C ends it.", "网站地址：{address} 。按 Ctrl-C 结束。"
)
WALLS = Text("Submissions are graded behind: {walls}", "评测的隔离方式：{walls}")
PORT_TAKEN = Text(
    "Port {port} is taken, perhaps by another start of this. Choose another: {program} serve --port {other}",
    "端口 {port} 已被占用，也许网站已经在运行。请换一个端口：{program} serve --port {other}",
)
PORT_REFUSED = Text(
    "The site cannot listen on {host}, port {port}: {why}.",
    "网站无法监听 {host} 的端口 {port}：{why}。",
)
DATA_REFUSED = Text(
    "{folder} cannot be used for data: {why}.", "无法使用数据目录 {folder}：{why}。"
)
DATA_TAKEN = Text(
    "Another start of the site works with {folder}. End it, or choose another folder with --data.",
    "已有另一个网站进程在使用 {folder}。请先结束它，或者用 --data 指定另一个目录。",
)
CANNOT_GRADE = Text("Submissions cannot be graded here: {why}.", "这里无法评测：{why}。")
NOT_INSTALLED = Text(
    "The site needs a package that is not installed: {name}. make serve installs it.",
    "网站需要的软件包没有安装：{name}。运行 make serve 会自动安装。",
)
JUDGE_FAILED = 3
HIGHEST_PORT = 65535


@click.command("serve", cls=Command, words=COMMANDS["serve"])
@click.option(
    "--port",
    cls=Option,
    words=PORT,
    type=click.IntRange(0, HIGHEST_PORT),
    default=8000,
    metavar="N",
)
@click.option("--host", cls=Option, words=HOST, default="127.0.0.1", metavar="ADDRESS")
@click.option(
    "--workers", cls=Option, words=WORKERS, type=click.IntRange(1, 64), default=1, metavar="N"
)
@click.option("--data", cls=Option, words=DATA, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--no-browser", cls=Option, words=NO_BROWSER, is_flag=True)
@tier_option
@click.pass_obj
def command(session: Session, no_browser: bool, **options: Any) -> int:
    """Ctrl-C is the way to end this, so it ends with 0."""
    try:
        _serve(session, _settings(session, **options), open_browser=not no_browser)
    except (KeyboardInterrupt, Terminated):
        session.note(STOPPED)
    return 0


def _settings(
    session: Session, *, port: int, host: str, workers: int, data: Path | None, require_tier: int
) -> Any:
    return _load("web.site.settings").Settings(
        data=data or session.root / ".data",
        root=session.root,
        host=host,
        port=port,
        workers=workers,
        gradings=max(1, (os.cpu_count() or 1) // workers),
        require_tier=require_tier,
    )


def _serve(session: Session, settings: Any, *, open_browser: bool) -> None:
    server = _open(session, settings)
    try:
        _build(session)
        session.note(PREPARING)
        try:
            server.start()
        except _load("web.site.workers").CannotGrade as problem:
            raise Refusal(CANNOT_GRADE.format(why=problem), JUDGE_FAILED) from None
        walls = isolation_words(server.isolation)
        session.note(Text(WALLS.en.format(walls=walls.en), WALLS.zh.format(walls=walls.zh)))
        session.say(SERVING.format(address=server.address))
        session.out.file.flush()
        if open_browser and _has_screen(session):
            webbrowser.open(server.address)
        server.wait()
    finally:
        # A second Ctrl-C must not leave the workers behind.
        with no_interrupts():
            server.close()


def _open(session: Session, settings: Any) -> Any:
    """The site on its port, before anything slow: what cannot go well is said at once."""
    module = _load("web.site.server")
    try:
        return module.Server(settings)
    except module.CannotListen as problem:
        if problem.errno == errno.EADDRINUSE:
            other = settings.port + 1 if settings.port < HIGHEST_PORT else settings.port - 1
            text = PORT_TAKEN.format(port=settings.port, program=PROGRAM, other=other)
        else:
            why = problem.strerror or str(problem)
            text = PORT_REFUSED.format(host=settings.host, port=settings.port, why=why)
        raise Refusal(text) from None
    except module.AlreadyServed:
        raise Refusal(DATA_TAKEN.format(folder=session.show(settings.data))) from None
    except OSError as problem:
        why = problem.strerror or str(problem)
        text = DATA_REFUSED.format(folder=session.show(settings.data), why=why)
        raise Refusal(text) from None


def _build(session: Session) -> None:
    """The page's files, made if they are missing or out of date. Progress goes to standard error."""
    errors = _load("web.browser.build.errors")
    try:
        _load("web.browser.build").ensure_runtime(language=session.language)
        _load("web.frontend.build").ensure_static()
    except errors.BuildError as problem:
        raise Refusal(Text(problem.english, problem.chinese), JUDGE_FAILED) from None


def _load(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        raise Refusal(NOT_INSTALLED.format(name=missing.name), JUDGE_FAILED) from None


def _has_screen(session: Session) -> bool:
    """Whether a browser would open in a window, not in this very terminal."""
    if not session.out.is_terminal:
        return False
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
