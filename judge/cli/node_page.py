"""`judge.py check`: the page's runtime under Node. It is another house,
loaded by name and only here."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from judge.cli.session import Refusal, Session
from judge.grade.parity import PageRunner
from judge.texts import Text

NO_NODE = Text(
    "The page's tests run under Node, and there is none to use: {why}. make test installs it.",
    "页面的测试要在 Node 中运行，但没有可用的 Node：{why}。运行 make test 会安装它。",
)
NOT_INSTALLED = Text(
    "The page needs a package that is not installed: {name}. make test installs it.",
    "页面需要的软件包没有安装：{name}。运行 make test 会安装它。",
)
JUDGE_FAILED = 3


@contextlib.contextmanager
def node_page(session: Session, *, wanted: bool) -> Iterator[PageRunner | None]:
    """A page, or None if it is not `wanted`. Raises `Refusal` if there can be none."""
    if not wanted:
        yield None
        return
    with _open(session) as page:
        yield page


def _open(session: Session) -> Any:
    try:
        build = importlib.import_module("web.browser.build")
        node = importlib.import_module("web.browser.node")
        runner = importlib.import_module("web.browser.node.page_runner")
    except ModuleNotFoundError as missing:
        raise Refusal(NOT_INSTALLED.format(name=missing.name), JUDGE_FAILED) from None
    try:
        return runner.NodePage(build.ensure_runtime(language=session.language))
    except build.BuildError as problem:
        raise Refusal(Text(problem.english, problem.chinese), JUDGE_FAILED) from None
    except node.NodeMissing as problem:
        raise Refusal(NO_NODE.format(why=problem), JUDGE_FAILED) from None
