"""What all socket types share: how a message is taken from many peers and given to one of them.

A pattern sees the ends of its socket and nothing of threads or waiting; `core` does that. The
types themselves stand in `pipelines`, `publishing` and `requests`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from zmq.constants import SocketType

from .errors import ENOTSUP, fail
from .lanes import End, Message, Turns

if TYPE_CHECKING:
    from .core import SocketCore


class Pattern:
    """A socket type that can neither send nor receive; the others say how they do."""

    peers: ClassVar[frozenset[SocketType]]

    def __init__(self, core: SocketCore) -> None:
        self.core = core

    def welcomes_more(self) -> bool:
        """Whether a bound socket accepts one more connection."""
        return True

    def attach(self, end: End) -> None:
        """`end` is there. A connecting one may not have a peer yet."""

    def connected(self, end: End) -> None:
        """A connecting end has found its peer."""

    def interrupted(self, end: End) -> None:
        """A connecting end has lost its peer and seeks another; its outbox is new."""

    def stop_sending(self, end: End) -> None:
        """The peer is gone; what it sent before can still be read."""

    def detach(self, end: End) -> None:
        """`end` is gone."""

    def arrived(self, end: End) -> None:
        """Something lies in the inbox of `end`."""

    def has_room_again(self, end: End) -> None:
        """The outbox of `end` was full and is no longer."""

    def check_receive(self) -> None:
        """Raise if this socket, or its state, does not allow to receive."""
        fail(ENOTSUP)

    def check_send(self) -> None:
        """Raise if this socket, or its state, does not allow to send."""
        fail(ENOTSUP)

    def can_receive(self) -> bool:
        return False

    def can_send(self) -> bool:
        return False

    def can_send_first(self, frame: bytes) -> bool:
        """Whether a message that begins with `frame` need not wait."""
        return self.can_send()

    def receive(self) -> Message:
        """The next message; only after `can_receive`."""
        raise NotImplementedError

    def send(self, message: Message) -> None:
        """Pass `message` on; only after `can_send_first`. It is dropped if that has changed."""
        raise NotImplementedError

    def delivered(self) -> None:
        """The program has taken the last frame of a message."""


class Receiving(Pattern):
    """Takes messages from all peers in turn (fair queuing)."""

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self.inbound = Turns()

    def attach(self, end: End) -> None:
        super().attach(end)
        self.inbound.add(end)

    def detach(self, end: End) -> None:
        super().detach(end)
        self.inbound.remove(end)

    def arrived(self, end: End) -> None:
        if self.core.options["CONFLATE"]:
            while len(end.inbox.messages) > 1:
                end.take()
        self.inbound.call(end)

    def check_receive(self) -> None:
        pass

    def can_receive(self) -> bool:
        while (end := self.inbound.current()) is not None and not end.inbox.messages:
            self.inbound.pass_by()
        return end is not None

    def receive(self) -> Message:
        return self.take()[1]

    def take(self) -> tuple[End, Message]:
        """The next message and where it came from; only if there is one."""
        end = self.inbound.current()
        assert end is not None
        message = end.take()
        self.inbound.advance()
        if end.over and not end.inbox.messages:
            self.core.drop(end)
        return end, message


class Choosing(Receiving):
    """Receives only some of what arrives, so it must look at a message to know there is one."""

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self._chosen: Message | None = None

    def choose(self, end: End, message: Message) -> Message | None:
        """What the program gets of `message`; None to drop it."""
        raise NotImplementedError

    def can_receive(self) -> bool:
        while self._chosen is None and super().can_receive():
            self._chosen = self.choose(*self.take())
        return self._chosen is not None

    def receive(self) -> Message:
        message, self._chosen = self._chosen, None
        assert message is not None
        return message

    def forget_chosen(self) -> None:
        self._chosen = None


class Sending(Pattern):
    """Gives each message to one peer in turn (round-robin among those with room)."""

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self.outbound = Turns()

    def attach(self, end: End) -> None:
        super().attach(end)
        self.outbound.add(end)

    def connected(self, end: End) -> None:
        super().connected(end)
        self.outbound.call(end)  # the peer's limit is added to ours

    def interrupted(self, end: End) -> None:
        super().interrupted(end)
        self.outbound.call(end)

    def stop_sending(self, end: End) -> None:
        super().stop_sending(end)
        self.outbound.remove(end)

    def detach(self, end: End) -> None:
        super().detach(end)
        self.outbound.remove(end)

    def has_room_again(self, end: End) -> None:
        self.outbound.call(end)

    def check_send(self) -> None:
        pass

    def can_send(self) -> bool:
        while (end := self.outbound.current()) is not None and not end.outbox.has_room():
            self.outbound.pass_by()
        return end is not None

    def send(self, message: Message) -> None:
        self.give(message)

    def give(self, message: Message) -> End | None:
        """Send to the next peer with room and return it; None if it has gone meanwhile."""
        if not Sending.can_send(self):
            return None
        end = self.outbound.current()
        assert end is not None
        end.put(message)
        self.outbound.advance()
        return end
