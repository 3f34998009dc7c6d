"""A context: the sockets it has, and how it ends."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Callable

from zmq.constants import Errno, SocketType

from . import courier, network, waiting
from .core import SocketCore
from .errors import EFAULT, EINVAL, EMFILE, fail
from .lanes import End
from .options import CONTEXT_DEFAULTS, check_context
from .patterns import Pattern
from .pipelines import Dealer, Pair, Pull, Push
from .publishing import Pub, Sub, XPub, XSub
from .requests import Rep, Req, Router

_PATTERNS: dict[SocketType, Callable[[SocketCore], Pattern]] = {
    SocketType.PUSH: Push,
    SocketType.PULL: Pull,
    SocketType.PAIR: Pair,
    SocketType.PUB: Pub,
    SocketType.SUB: Sub,
    SocketType.XPUB: XPub,
    SocketType.XSUB: XSub,
    SocketType.REQ: Req,
    SocketType.REP: Rep,
    SocketType.DEALER: Dealer,
    SocketType.ROUTER: Router,
}
_numbers = itertools.count(0x1000, 16)
by_number: weakref.WeakValueDictionary[int, ContextCore] = weakref.WeakValueDictionary()


class ContextCore:
    """Call everything with `waiting.lock` held."""

    def __init__(self) -> None:
        self.number = next(_numbers)
        by_number[self.number] = self
        self.options = dict(CONTEXT_DEFAULTS)
        self.terminating = False
        self._ended = False
        self._sockets: set[SocketCore] = set()
        self._lingering: set[End] = set()
        self._bells: list[waiting.Bell] = []

    def new_socket(self, kind: int) -> SocketCore:
        if self._ended:
            fail(EFAULT)  # only a shadow still knows this context
        if self.terminating:
            fail(Errno.ETERM)
        if kind not in _PATTERNS:
            fail(EINVAL)
        if len(self._sockets) >= self.options[2]:
            fail(EMFILE)
        socket = SocketCore(self, SocketType(kind), _PATTERNS[SocketType(kind)])
        self._sockets.add(socket)
        return socket

    def forget(self, socket: SocketCore) -> None:
        self._sockets.discard(socket)
        self._wake()

    def let_linger(self, end: End, milliseconds: int) -> None:
        """Keep an end of a closed socket until its messages are sent, or for so long."""
        self._lingering.add(end)
        if milliseconds > 0:
            courier.after(milliseconds / 1000, self._drop, end)

    def drop_unsent(self) -> None:
        """Wait for no message that a closed socket had not sent."""
        for end in list(self._lingering):
            self._drop(end)

    def settle(self, end: End) -> None:
        """`end` has found its peer: if it only lingered, its messages are sent."""
        if end in self._lingering:
            end.part()
            self._drop(end)

    def _drop(self, end: End) -> None:
        network.give_up(end)
        self._lingering.discard(end)
        self._wake()

    def _wake(self) -> None:
        for bell in self._bells:
            bell.ring()

    def terminate(self) -> None:
        """Interrupt every waiting socket, then wait until all are closed and nothing lingers."""
        self.terminating = True
        for socket in list(self._sockets):
            socket.monitor.stop()
            socket.wake()
        bell = waiting.Bell()
        self._bells.append(bell)
        try:
            while self._sockets or self._lingering:
                bell.wait(None)
        finally:
            self._bells.remove(bell)
        self._ended = True


class Context:
    """pyzmq's Context stands on this one."""

    closed: bool = True
    _core: ContextCore | None = None
    _shadowing: bool = False
    _process: int = 0

    def __init__(self, io_threads: int = 1, shadow: int = 0) -> None:
        with waiting.lock:
            if shadow:
                self._core = by_number[shadow]
                self._shadowing = True
            else:
                check_context(1, io_threads)
                self._core = ContextCore()
                self._core.options[1] = io_threads
        self._process = os.getpid()
        self.closed = False

    @property
    def underlying(self) -> int:
        return self._core.number if self._core else 0

    def core(self) -> ContextCore:
        if self._core is None:
            fail(EFAULT)
        return self._core

    def term(self) -> None:
        # After a fork the child has the sockets of its parent, but nobody who would close them.
        if self._core is not None and not self.closed and os.getpid() == self._process:
            with waiting.lock:
                self._core.terminate()
        self._core = None
        self.closed = True

    def set(self, option: int, value: int) -> None:
        if self.closed:
            raise RuntimeError("the context is closed")
        if not isinstance(value, int):
            raise TypeError(f"a context option is an int, not {value!r}")
        check_context(option, value)
        self.core().options[option] = value

    def get(self, option: int) -> int:
        if self.closed:
            raise RuntimeError("the context is closed")
        if option not in self.core().options:
            fail(EINVAL)
        return self.core().options[option]
