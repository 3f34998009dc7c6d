"""Fixtures of the tests of the reference queues: short addresses, queues that are stopped, a limit.

A plugin of pytest, named in `pytest_plugins` by the files that use it.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from queue_parts import LIMIT


@pytest.fixture
def limit() -> Iterator[None]:
    """End a test that waits for ever, naming the line where it waits."""

    def give_up(*_: Any) -> None:
        raise TimeoutError(f"the test still waits after {LIMIT} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def folder() -> Iterator[str]:
    path = tempfile.mkdtemp(prefix="msgl-", dir="/tmp")
    yield path
    shutil.rmtree(path)


@pytest.fixture
def addr(folder: str) -> str:
    return f"ipc://{folder}/a"


@pytest.fixture
def made() -> Iterator[Any]:
    """`made(queue)` returns the queue and stops it after the test."""
    with contextlib.ExitStack() as stack:

        def keep(queue: Any) -> Any:
            stack.callback(queue.stop)
            return queue

        yield keep
