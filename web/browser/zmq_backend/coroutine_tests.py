"""A pytest plugin: run `async def` tests and fixtures on asyncio, each test on a loop of its own.

pyzmq's tests expect pytest-asyncio. This is the little of it that they need.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "asyncio: a coroutine")
    config.addinivalue_line("markers", "large: needs gigabytes of memory")


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> None:
    function = fixturedef.func
    if inspect.iscoroutinefunction(function):
        fixturedef.func = _synchronous(function)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    function = pyfuncitem.obj
    if not inspect.iscoroutinefunction(function):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(function(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def _synchronous(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*arguments: Any, **named: Any) -> Any:
        return asyncio.run(function(*arguments, **named))

    return run
