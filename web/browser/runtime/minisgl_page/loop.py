"""asyncio on fibers: every `asyncio.run` has a loop of its own, which waits as any thread does."""

from __future__ import annotations

import _threading_local
import asyncio
import asyncio.selector_events
import errno
import selectors
import sys
import time
from collections.abc import Mapping
from typing import Any

from . import descriptors
from .scheduler import Fiber, scheduler


class PageSelector(selectors._BaseSelectorImpl):  # type: ignore[name-defined]
    """Waits for the page's descriptors, and for `notify`."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: Fiber | None = None
        self._notified = False

    def notify(self) -> None:
        """End the wait that is on, or the next one."""
        self._notified = True
        if self._waiting is not None:
            scheduler.wake(self._waiting)

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().register(fileobj, events, data)
        descriptor = descriptors.find(key.fd)
        if descriptor is None:
            super().unregister(fileobj)
            raise OSError(errno.EPERM, "only ZMQ's descriptors can be watched in a web page")
        descriptor.watchers.append(self.notify)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        key = super().unregister(fileobj)
        descriptor = descriptors.find(key.fd)
        if descriptor is not None and self.notify in descriptor.watchers:
            descriptor.watchers.remove(self.notify)
        return key

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        self.unregister(fileobj)
        return self.register(fileobj, events, data)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        deadline = None if timeout is None else time.monotonic() + timeout
        rested = False
        while not (ready := self._ready()) and not self._notified:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                break
            self._waiting = scheduler.current
            try:
                rested = True
                scheduler.park(left, sys._getframe())
            finally:
                self._waiting = None
        if scheduler.turn_is_due and not rested:  # a loop that is never idle starves nobody
            scheduler.give_way()
        self._notified = False
        return ready

    def close(self) -> None:
        for key in list(self.get_map().values()):
            self.unregister(key.fileobj)
        super().close()

    def _ready(self) -> list[tuple[selectors.SelectorKey, int]]:
        keys: Mapping[int, selectors.SelectorKey] = self._fd_to_key
        ready = []
        for number, key in keys.items():
            descriptor = descriptors.find(number)
            if descriptor is not None and descriptor.lit and key.events & selectors.EVENT_READ:
                ready.append((key, selectors.EVENT_READ))
        return ready


class PageEventLoop(asyncio.selector_events.BaseSelectorEventLoop):
    """The usual loop, but for the socket pair by which other threads wake it."""

    def __init__(self, selector: selectors.BaseSelector | None = None) -> None:
        super().__init__(selector or PageSelector())

    def _make_self_pipe(self) -> None:
        pass

    def _close_self_pipe(self) -> None:
        pass

    def _write_to_self(self) -> None:
        if isinstance(self._selector, PageSelector):
            self._selector.notify()


class PageEventLoopPolicy(asyncio.events.BaseDefaultEventLoopPolicy):  # type: ignore[name-defined]
    _loop_factory = PageEventLoop

    class _Local(_threading_local.local):  # as `threading.local`, on fibers
        _loop = None
        _set_called = False


def install() -> None:
    asyncio.run = asyncio.runners.run
    for module in (asyncio, asyncio.unix_events):
        module.SelectorEventLoop = PageEventLoop  # type: ignore[assignment, misc]
        module.DefaultEventLoopPolicy = PageEventLoopPolicy  # type: ignore[assignment, misc]
    selectors.DefaultSelector = PageSelector  # type: ignore[assignment, misc]
    begin()


def begin() -> None:
    """A fresh policy, without any loop of a program before."""
    asyncio.tasks._current_tasks.clear()  # type: ignore[attr-defined]
    asyncio.set_event_loop_policy(PageEventLoopPolicy())
