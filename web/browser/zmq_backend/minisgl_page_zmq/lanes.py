"""Messages on their way: lanes with a high-water mark, the ends of a connection, turns among them.

A connection is two lanes, one for each direction. Each socket holds an `End` of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from zmq.constants import Event

if TYPE_CHECKING:
    from .addresses import Address
    from .core import SocketCore

Message = list[bytes]  # its frames, at least one


class Lane:
    """Messages in one direction. `limit` 0 means none.

    A reader gives room back in halves of the limit, as libzmq does: a full lane stays full until
    that many were taken. Programs that count what fits see the same numbers.
    """

    __slots__ = ("_acknowledged", "_read", "_written", "limit", "messages")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.messages: deque[Message] = deque()
        self._written = self._read = self._acknowledged = 0

    def has_room(self) -> bool:
        return self.limit == 0 or self._written - self._acknowledged < self.limit

    def put(self, message: Message) -> None:
        self.messages.append(message)
        self._written += 1

    def take(self) -> tuple[Message, bool]:
        """The oldest message, and whether the writer was given room."""
        message = self.messages.popleft()
        self._read += 1
        if self.limit and self._read % ((self.limit + 1) // 2) == 0:
            self._acknowledged = self._read
            return message, True
        return message, False


class End:
    """A socket's end of a connection. A connecting end exists before its peer, and outlives it."""

    __slots__ = ("address", "connecting", "failed_at", "inbox", "introduced", "outbox", "over",
                 "owner", "peer", "routing_id")  # fmt: skip

    def __init__(self, owner: SocketCore, address: Address, connecting: bool) -> None:
        self.owner = owner
        self.address = address
        self.connecting = connecting
        self.inbox = Lane(owner.options["RCVHWM"])
        self.outbox = Lane(owner.options["SNDHWM"])
        self.peer: End | None = None
        self.over = False  # nothing more will come than what lies in the inbox
        self.introduced: bytes | None = None  # the peer's ROUTING_ID, once there was a peer
        self.routing_id: bytes | None = None  # what a ROUTER calls the peer
        self.failed_at = 0.0  # when this end last found nobody at its address

    def put(self, message: Message, delay: float = 0.0) -> None:
        self.outbox.put(message)
        if self.peer is not None:
            self.peer.owner.post_arrival(self.peer, delay)

    def take(self) -> Message:
        message, room = self.inbox.take()
        if room and self.peer is not None:
            self.peer.owner.post(self.peer.owner.pattern.has_room_again, self.peer)
        return message

    def join(self, other: End) -> None:
        """Make `other`, new and on the bound side, the peer of this connecting end."""
        other.inbox, other.outbox = self.outbox, self.inbox
        self.peer, other.peer = other, self
        self.introduced = other.owner.options["ROUTING_ID"]
        other.introduced = self.owner.options["ROUTING_ID"]
        # Both sides' limits count, as libzmq has a queue on each.
        for sender, lane, receiver in (
            (self.owner, self.outbox, other.owner),
            (other.owner, self.inbox, self.owner),
        ):
            sent, received = sender.options["SNDHWM"], receiver.options["RCVHWM"]
            lane.limit = sent + received if sent and received else 0

    def part(self) -> None:
        """End the connection from this side. The peer can still read what was sent before."""
        peer, self.peer = self.peer, None
        if peer is not None:
            peer.peer = None
            peer.owner.lose(peer)
            peer.owner.monitor.tell(Event.DISCONNECTED, peer.address.text)


class Turns:
    """Ends that take turns. Those with nothing to do stand aside until they are called again.

    The order is libzmq's, so that fair queuing and round-robin hand out messages alike: the ends
    in front are active; one that drops out changes places with the last active one.
    """

    def __init__(self) -> None:
        self.ends: list[End] = []
        self._active = 0
        self._next = 0

    def __iter__(self) -> Iterator[End]:
        return iter(self.ends)

    def add(self, end: End) -> None:
        self.ends.append(end)
        self.call(end)

    def call(self, end: End) -> None:
        """`end` has something to do again."""
        if end in self.ends and (place := self.ends.index(end)) >= self._active:
            self._swap(place, self._active)
            self._active += 1

    def remove(self, end: End) -> None:
        if end not in self.ends:
            return
        place = self.ends.index(end)
        if place < self._active:
            self._active -= 1
            self._swap(place, self._active)
            if self._next == self._active:
                self._next = 0
        self.ends.remove(end)

    def current(self) -> End | None:
        return self.ends[self._next] if self._active else None

    def pass_by(self) -> None:
        """The current end has nothing to do."""
        self._active -= 1
        if self._next < self._active:
            self._swap(self._next, self._active)
        else:
            self._next = 0

    def advance(self) -> None:
        """The current end has had its turn."""
        self._next = (self._next + 1) % self._active if self._active else 0

    def _swap(self, a: int, b: int) -> None:
        self.ends[a], self.ends[b] = self.ends[b], self.ends[a]
