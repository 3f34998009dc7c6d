"""PUB, XPUB, SUB and XSUB: every message goes to all who subscribed to how it begins.

A subscription is a message that travels upstream: byte 1 and the topic; byte 0 and the topic ends
it. The publisher filters. So what is published before a subscription has arrived is lost.
"""

from __future__ import annotations

from collections import Counter, deque

from zmq.constants import SocketType as Type

from . import courier
from .core import SocketCore
from .errors import ENOTSUP, fail
from .lanes import End, Message
from .patterns import Choosing, Pattern

_CANCEL, _SUBSCRIBE = b"\x00", b"\x01"


class XPub(Pattern):
    """Sends to subscribers, and receives what they ask for."""

    peers = frozenset({Type.SUB, Type.XSUB})

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self._topics: dict[End, set[bytes]] = {}
        self._notices: deque[Message] = deque()

    def attach(self, end: End) -> None:
        self._topics[end] = set()
        if welcome := self.core.options["XPUB_WELCOME_MSG"]:
            end.put([welcome])

    def interrupted(self, end: End) -> None:
        self.detach(end)
        self.attach(end)

    def detach(self, end: End) -> None:
        for topic in sorted(self._topics.pop(end, ())):
            self._notice_end(topic)

    def arrived(self, end: End) -> None:
        while end.inbox.messages:
            message = end.take()
            if message[0][:1] in (_SUBSCRIBE, _CANCEL) and end in self._topics:
                self._hear(self._topics[end], message[0])
            else:
                self._notices.append(message)

    def _hear(self, topics: set[bytes], request: bytes) -> None:
        options, topic = self.core.options, request[1:]
        if request[:1] == _SUBSCRIBE:
            known = any(topic in others for others in self._topics.values())
            topics.add(topic)
            if not known or options["XPUB_VERBOSE"] or options["XPUB_VERBOSER"]:
                self._notices.append([request])
        elif topic in topics:
            topics.remove(topic)
            self._notice_end(topic)

    def _notice_end(self, topic: bytes) -> None:
        wanted = any(topic in others for others in self._topics.values())
        if not wanted or self.core.options["XPUB_VERBOSER"]:
            self._notices.append([_CANCEL + topic])

    def check_receive(self) -> None:
        pass

    def can_receive(self) -> bool:
        return bool(self._notices)

    def receive(self) -> Message:
        return self._notices.popleft()

    def check_send(self) -> None:
        pass

    def can_send(self) -> bool:
        return True  # who has no room does not get it

    def can_send_first(self, frame: bytes) -> bool:
        if not self.core.options["XPUB_NODROP"]:
            return True
        return all(end.outbox.has_room() for end in self._audience(frame))

    def send(self, message: Message) -> None:
        for end in self._audience(message[0]):
            if end.outbox.has_room():
                end.put(message.copy())

    def _audience(self, frame: bytes) -> list[End]:
        inverted = bool(self.core.options["INVERT_MATCHING"])
        return [
            end
            for end, topics in self._topics.items()
            if any(frame.startswith(topic) for topic in topics) is not inverted
        ]


class Pub(XPub):
    """Does not show its program who subscribes."""

    def arrived(self, end: End) -> None:
        super().arrived(end)
        self._notices.clear()

    def detach(self, end: End) -> None:
        super().detach(end)
        self._notices.clear()

    def check_receive(self) -> None:
        fail(ENOTSUP)


class XSub(Choosing):
    """Receives what it subscribed to, by sending subscriptions."""

    peers = frozenset({Type.PUB, Type.XPUB})

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self._topics: Counter[bytes] = Counter()

    def attach(self, end: End) -> None:
        super().attach(end)
        self._introduce(end)

    def interrupted(self, end: End) -> None:
        super().interrupted(end)
        self._introduce(end)

    def _introduce(self, end: End) -> None:
        for topic in self._topics:
            end.put([_SUBSCRIBE + topic])  # the connection itself has taken its moment already

    def _tell(self, end: End, message: Message) -> None:
        inside = end.address.transport == "inproc"
        end.put(message, 0.0 if inside else courier.SUBSCRIPTION)

    def choose(self, end: End, message: Message) -> Message | None:
        return message

    def check_send(self) -> None:
        pass

    def can_send(self) -> bool:
        return True

    def send(self, message: Message) -> None:
        kind, topic = message[0][:1], message[0][1:]
        if kind == _SUBSCRIBE:
            self._topics[topic] += 1
        elif kind == _CANCEL:
            known = topic in self._topics
            self._topics[topic] -= 1
            if self._topics[topic] <= 0:
                del self._topics[topic]
            last = known and topic not in self._topics
            if not last and not self.core.options["XSUB_VERBOSE_UNSUBSCRIBE"]:
                return  # another subscription of ours is equal
        for end in self.inbound:
            self._tell(end, message)


class Sub(XSub):
    """Subscribes by options, and filters once more what was under way when it unsubscribed."""

    def subscribe(self, topic: bytes, on: bool) -> None:
        super().send([(_SUBSCRIBE if on else _CANCEL) + topic])

    def choose(self, end: End, message: Message) -> Message | None:
        wanted = any(message[0].startswith(topic) for topic in self._topics)
        return message if wanted is not bool(self.core.options["INVERT_MATCHING"]) else None

    def check_send(self) -> None:
        fail(ENOTSUP)

    def can_send(self) -> bool:
        return False
