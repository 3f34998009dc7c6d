"""A socket: its connections, its options, and the threads that wait for it.

What happens elsewhere (a peer came, a message arrived) reaches a socket as a command. As in
libzmq it takes note of commands only inside a call of its program; that is why a SUB socket that
binds does not announce its subscription before its program receives or polls.
"""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Callable
from errno import ENOENT
from typing import TYPE_CHECKING, Any

from zmq.constants import DONTWAIT, POLLIN, POLLOUT, SNDMORE, Errno, Event, SocketType

from . import courier, network, options, waiting
from .addresses import parse
from .errors import EAGAIN, EINVAL, fail
from .lanes import End, Lane, Message
from .monitor import Monitor

if TYPE_CHECKING:
    from .contexts import ContextCore
    from .patterns import Pattern

_numbers = itertools.count(0x1000, 16)
by_number: weakref.WeakValueDictionary[int, SocketCore] = weakref.WeakValueDictionary()


class SocketCore:
    """Call everything with `waiting.lock` held. Errors are those of libzmq's functions."""

    def __init__(
        self,
        context: ContextCore,
        kind: SocketType,
        pattern: Callable[[SocketCore], Pattern],
    ) -> None:
        self.context = context
        self.kind = kind
        self.number = next(_numbers)
        by_number[self.number] = self
        self.options: dict[str, Any] = options.defaults()
        if kind in (SocketType.SUB, SocketType.XSUB):
            self.options["LINGER"] = 0  # unsent subscriptions hold nobody up
        self.ends: list[End] = []
        self.pattern = pattern(self)
        self.closed = False
        self.more = False
        self.last_endpoint = b""
        self.bells: list[waiting.Bell] = []
        self._listeners: dict[str, network.Listener] = {}
        self._commands: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._incoming: deque[bytes] = deque()
        self._outgoing: Message = []
        self._beacon: waiting.Beacon | None = None
        self.monitor = Monitor(self)

    # Commands

    def post(self, command: Callable[..., None], *arguments: Any) -> None:
        if not self.closed:
            self._commands.append((command, arguments))
            self.wake()

    def post_arrival(self, end: End, delay: float = 0.0) -> None:
        if delay:
            courier.after(delay, self.post, self.pattern.arrived, end)
        else:
            self.post(self.pattern.arrived, end)

    def wake(self) -> None:
        if self._beacon is not None:
            self._beacon.light()
        for bell in self.bells:
            bell.ring()

    def process(self) -> None:
        """Carry out commands; raise if the socket is closed or its context ends."""
        if self.closed:
            fail(Errno.ENOTSOCK)
        while self._commands:
            command, arguments = self._commands.popleft()
            command(*arguments)
        if self.context.terminating:
            fail(Errno.ETERM)  # the beacon stays lit: it will not get better
        if self._beacon is not None:
            self._beacon.quench()

    def wait(self, ready: Callable[[], bool], timeout: int, flags: int) -> None:
        """Return when `ready`; EAGAIN after `timeout` milliseconds (-1: never) or with DONTWAIT."""
        if ready():
            return
        if flags & DONTWAIT or timeout == 0:
            fail(EAGAIN)
        deadline = None if timeout < 0 else waiting.now() + timeout / 1000
        bell = waiting.Bell()
        self.bells.append(bell)
        try:
            while not ready():
                left = None if deadline is None else deadline - waiting.now()
                if left is not None and left <= 0:
                    fail(EAGAIN)
                bell.wait(left)
                self.process()
        finally:
            self.bells.remove(bell)

    # Messages

    def send(self, frame: bytes, flags: int) -> None:
        self.process()
        self.pattern.check_send()
        if not self._outgoing:
            self.wait(lambda: self.pattern.can_send_first(frame), self.options["SNDTIMEO"], flags)
        self._outgoing.append(frame)
        if not flags & SNDMORE:
            message, self._outgoing = self._outgoing, []
            self.pattern.send(message)

    def receive(self, flags: int) -> bytes:
        self.process()
        if not self._incoming:
            self.pattern.check_receive()
            self.wait(self.pattern.can_receive, self.options["RCVTIMEO"], flags)
            self._incoming.extend(self.pattern.receive())
        frame = self._incoming.popleft()
        self.more = bool(self._incoming)
        if not self.more:
            self.pattern.delivered()
        return frame

    def events(self) -> int:
        self.process()
        readable = bool(self._incoming) or self.pattern.can_receive()
        return int(readable) * int(POLLIN) + int(self.pattern.can_send()) * int(POLLOUT)

    # Connections

    def bind(self, text: str) -> None:
        self.process()
        listener = network.bind(self, text)
        self._listeners[listener.address.text] = listener
        self.last_endpoint = listener.address.text.encode()
        self.monitor.tell(Event.LISTENING, listener.address.text)

    def unbind(self, text: str) -> None:
        self.process()
        listener = self._listeners.pop(text, None)
        if listener is None:
            fail(ENOENT)
        network.unbind(listener)
        self.monitor.tell(Event.CLOSED, text)

    def connect(self, text: str) -> None:
        self.process()
        address = parse(text, False, self.context.number)
        self.last_endpoint = address.text.encode()
        if self.ends and not self.pattern.welcomes_more():
            return
        end = End(self, address, connecting=True)
        self.ends.append(end)
        if not self.options["IMMEDIATE"] or address.transport == "inproc":
            self.pattern.attach(end)
        self.monitor.tell(Event.CONNECT_DELAYED, address.text)
        network.connect(end)

    def disconnect(self, text: str) -> None:
        self.process()
        ends = [end for end in self.ends if end.connecting and end.address.text == text]
        if not ends:
            fail(ENOENT)
        for end in ends:
            network.give_up(end)
            end.part()
            self.pattern.stop_sending(end)
            if not end.inbox.messages:
                self.drop(end)

    def accept(self, end: End) -> None:
        """A command: somebody connected to where this socket is bound."""
        self.pattern.attach(end)
        self.pattern.arrived(end)

    def connected(self, end: End) -> None:
        """A command: a connecting end has found its peer."""
        if end not in self.ends:
            return
        if self.options["IMMEDIATE"] and end.address.transport != "inproc":
            self.pattern.attach(end)
        self.pattern.connected(end)

    def lose(self, end: End) -> None:
        """The peer of `end` has closed or disconnected: seek it anew, where that can help."""
        if self.closed or end not in self.ends:
            return
        if not end.connecting or end.over or end.address.transport == "inproc":
            self.post(self._lost, end)
            return
        end.outbox = Lane(self.options["SNDHWM"])  # what the peer had not read is lost
        self.post(self.pattern.arrived, end)
        immediate = self.options["IMMEDIATE"]
        self.post(self.pattern.detach if immediate else self.pattern.interrupted, end)
        courier.after(max(self.options["RECONNECT_IVL"], 1) / 1000, network.seek, end)

    def _lost(self, end: End) -> None:
        """A command: `end` will hear no more."""
        if end not in self.ends:
            return
        self.pattern.arrived(end)
        end.over = True
        self.pattern.stop_sending(end)
        if not end.inbox.messages:
            self.drop(end)

    def cut(self, end: End) -> None:
        """End a connection from this side; a connecting end seeks its peer anew."""
        end.part()
        end.inbox = Lane(self.options["RCVHWM"])
        self.lose(end)

    def drop(self, end: End) -> None:
        """Forget an end that is over and read to its last message."""
        self.pattern.detach(end)
        if end in self.ends:
            self.ends.remove(end)

    def close(self) -> None:
        if self.closed:
            return
        self.monitor.stop()
        self.closed = True
        for listener in self._listeners.values():
            network.unbind(listener)
        for end in self.ends:
            unsent = end.connecting and end.peer is None and end.outbox.messages
            if unsent and self.options["LINGER"] and end.address.transport != "inproc":
                self.context.let_linger(end, self.options["LINGER"])
            else:
                network.give_up(end)
                end.part()
        self.ends = []
        self._commands.clear()
        self.wake()
        if self._beacon is not None:
            self._beacon.close()
        self.context.forget(self)

    # Options

    def set(self, number: int, value: int | bytes) -> None:
        self.process()
        name = options.name_of(number)
        if name in ("SUBSCRIBE", "UNSUBSCRIBE"):
            if self.kind != SocketType.SUB:
                fail(EINVAL)
            self.pattern.subscribe(value, name == "SUBSCRIBE")  # type: ignore[attr-defined]
            return
        options.check(self.kind, name, value)
        self.options[name] = value

    def get(self, number: int) -> int | bytes:
        if self.closed:
            fail(Errno.ENOTSOCK)
        if self.context.terminating:
            fail(Errno.ETERM)
        name = options.name_of(number)
        match name:
            case "TYPE":
                return int(self.kind)
            case "RCVMORE":
                return int(self.more)
            case "EVENTS":
                return self.events()
            case "FD":
                return self._descriptor()
            case "LAST_ENDPOINT":
                return self.last_endpoint
            case "THREAD_SAFE":
                return 0
        if name not in options.READABLE:
            fail(EINVAL)
        return self.options[name]

    def _descriptor(self) -> int:
        if self._beacon is None:
            self._beacon = waiting.Beacon()
            if self._commands or self.events():
                self._beacon.light()
        return self._beacon.descriptor
