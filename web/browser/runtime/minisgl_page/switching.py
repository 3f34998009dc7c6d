"""How a fiber steps aside: on stacks of its own where the browser can switch them, else not at all."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Protocol

from pyodide.ffi import can_run_sync, create_proxy, run_sync

from .bridge import bridge
from .errors import CannotWait

if TYPE_CHECKING:
    from .scheduler import Fiber
    from .timers import Timers


_pyodides_loop = asyncio.get_event_loop_policy().get_event_loop()


class Switching(Protocol):
    def can_step_aside(self) -> bool:
        """Whether the running code may do so now; not inside a callback of the page's."""

    def start(self, body: Callable[[], None]) -> None:
        """Run `body` as a fiber."""

    def suspend(self, fiber: Fiber, turn_first: bool) -> None:
        """Step aside until `fiber.woken`. With `turn_first` the page's events get a turn."""

    def resume(self, fiber: Fiber) -> None:
        """`fiber.woken` has become true."""

    def turn(self) -> None:
        """Step aside for a moment: other fibers that can run do so, and the page's events."""

    def abandon(self) -> None:
        """Step aside for ever. Returns only where that is impossible."""


class Gate:
    """What a fiber waits for, as `run_sync` wants it: a future, though one without an event loop.

    Anything else that can be awaited, a promise too, would go through a task of Pyodide's own event
    loop, which takes seventy times as long.
    """

    _asyncio_future_blocking = False  # by this `asyncio.isfuture` knows a future

    def __init__(self) -> None:
        self._open = False
        self._then: Callable[[Gate], None] | None = None

    def open(self) -> None:
        self._open = True
        if self._then is not None:
            then, self._then = self._then, None
            then(self)

    def add_done_callback(self, then: Callable[[Gate], None], *, context: object = None) -> None:
        if self._open:
            then(self)
        else:
            self._then = then

    def result(self) -> None:
        return None

    def exception(self) -> None:
        return None

    def __await__(self) -> Generator[Gate, None, None]:
        yield self


class StackSwitching:
    def __init__(self) -> None:
        self._turns: deque[Gate] = deque()
        bridge.on_turn(create_proxy(self._turn_came))

    def can_step_aside(self) -> bool:
        return bool(can_run_sync())

    def start(self, body: Callable[[], None]) -> None:
        bridge.start(create_proxy(body))  # the page destroys the proxy when the fiber has ended

    def suspend(self, fiber: Fiber, turn_first: bool) -> None:
        if turn_first:
            self.turn()
        if not fiber.woken:
            fiber.gate = Gate()
            _wait(fiber.gate)
            fiber.gate = None

    def resume(self, fiber: Fiber) -> None:
        if fiber.gate is not None:
            fiber.gate.open()

    def turn(self) -> None:
        gate = Gate()
        self._turns.append(gate)
        bridge.turn()
        _wait(gate)

    def abandon(self) -> None:
        _wait(Gate())

    def _turn_came(self) -> None:
        self._turns.popleft().open()


def _wait(gate: Gate) -> None:
    # The running loop belongs to the thread of the interpreter, of which there is only one. While a
    # stack is switched, Pyodide wants its own there, or asks the policy for one.
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(_pyodides_loop)
    try:
        run_sync(gate)
    finally:
        asyncio._set_running_loop(loop)


class NoSwitching:
    """One stack: a thread runs to its end when it is started; who waits may only wait for time."""

    def __init__(self, timers: Timers) -> None:
        self._timers = timers

    def can_step_aside(self) -> bool:
        return False

    def start(self, body: Callable[[], None]) -> None:
        loop = asyncio._get_running_loop()
        try:
            body()
        finally:
            asyncio._set_running_loop(loop)

    def suspend(self, fiber: Fiber, turn_first: bool) -> None:
        while not fiber.woken:
            if not self._timers.run_due() and not self._timers.wakers:
                raise CannotWait

    def resume(self, fiber: Fiber) -> None:
        pass

    def turn(self) -> None:
        self._timers.run_due()

    def abandon(self) -> None:
        pass
