"""pytest with only what a grading needs of it: the tests of one folder, and nothing of the machine's."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import sys
from collections.abc import Iterator

import pytest

PYTEST_ARGUMENTS = [
    "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:faulthandler", "-p", "no:doctest",
    "-p", "no:junitxml", "-p", "no:pastebin", "-p", "no:unraisableexception",
    "-p", "no:threadexception", "-p", "no:logging", "--capture=no", "--noconftest", "-c", os.devnull,
    "--import-mode=importlib", "-W", "ignore",
]  # fmt: skip
# In CI pytest writes out whole differences of any size: minutes, where a learner asks for it.
UNWANTED = ("PYTEST_ADDOPTS", "CI", "BUILD_NUMBER")
LAST_ERROR = ("last_exc", "last_type", "last_value", "last_traceback")


def within(folder: str) -> list[str]:
    """Arguments that keep pytest inside `folder`: else it lists the folders above it, too."""
    return ["--rootdir", folder, "--confcutdir", folder]


@contextlib.contextmanager
def lean_pytest() -> Iterator[None]:
    """Run pytest inside without the machine's settings and plugins; nothing of it stays afterwards."""
    environment, writes_nothing = dict(os.environ), sys.dont_write_bytecode
    for name in UNWANTED:
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes_nothing
        for name in set(os.environ) - set(environment):
            del os.environ[name]
        os.environ.update(environment)
        for name in LAST_ERROR:  # pytest notes a failure there, and with it all that it reaches
            if hasattr(sys, name):
                delattr(sys, name)


def plain_report(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
    """A phase's report without pytest's words for a failure.

    Nobody reads them, and to find them pytest parses the source of every frame: milliseconds for each
    test that fails, several times what the test itself takes.
    """
    outcome = "passed" if call.excinfo is None else "failed"
    return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)


def run_coroutine_test(item: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function in an event loop of its own. None: it is another test.

    For the hook `pytest_pyfunc_call`, where pytest itself fails such a test.
    """
    if not inspect.iscoroutinefunction(item.obj):
        return None
    fixtures = inspect.signature(item.obj).parameters
    asyncio.run(item.obj(**{name: item.funcargs[name] for name in fixtures}))
    return True
