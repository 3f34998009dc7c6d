"""REQ, REP and ROUTER: messages that carry the way back."""

from __future__ import annotations

import itertools
import random
from errno import EHOSTUNREACH

from zmq.constants import Errno
from zmq.constants import SocketType as Type

from .core import SocketCore
from .errors import fail
from .lanes import End, Message
from .patterns import Choosing, Receiving, Sending

_DELIMITER = b""  # parts the way back from the message itself


class Req(Choosing, Sending):
    """Sends a request, receives its reply, and so on in turn."""

    peers = frozenset({Type.REP, Type.ROUTER})

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self._asked: End | None = None
        self._waiting = False
        self._number = itertools.count(random.getrandbits(31))
        self._correlation: list[bytes] = []

    def attach(self, end: End) -> None:
        super().attach(end)
        if self.core.options["PROBE_ROUTER"]:
            end.put([_DELIMITER])

    def check_receive(self) -> None:
        if not self._waiting:
            fail(Errno.EFSM)

    def can_receive(self) -> bool:
        return self._waiting and super().can_receive()

    def choose(self, end: End, message: Message) -> Message | None:
        envelope = [*self._correlation, _DELIMITER]
        if end is not self._asked or message[: len(envelope)] != envelope:
            return None  # nobody asked for it
        return message[len(envelope) :] or None

    def delivered(self) -> None:
        self._waiting = False
        self._asked = None

    def check_send(self) -> None:
        if self._waiting and not self.core.options["REQ_RELAXED"]:
            fail(Errno.EFSM)

    def can_send(self) -> bool:
        free = not self._waiting or bool(self.core.options["REQ_RELAXED"])
        return free and super().can_send()

    def send(self, message: Message) -> None:
        if self._waiting and self._asked is not None:
            # The reply to the request before must not be taken for this one's.
            self.core.cut(self._asked)
            self.forget_chosen()
        if self.core.options["REQ_CORRELATE"]:
            self._correlation = [(next(self._number) % 2**32).to_bytes(4, "little")]
        self._asked = self.give([*self._correlation, _DELIMITER, *message])
        self._waiting = True


class Rep(Receiving):
    """Receives a request, sends the reply back where it came from, and so on in turn."""

    peers = frozenset({Type.REQ, Type.DEALER})

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self._way_back: tuple[End, Message] | None = None
        self._request: Message | None = None
        self._replying = False

    def check_receive(self) -> None:
        if self._replying:
            fail(Errno.EFSM)

    def can_receive(self) -> bool:
        if self._replying:
            return False
        while self._request is None and super().can_receive():
            end, message = self.take()
            cut = message.index(_DELIMITER) + 1 if _DELIMITER in message else len(message)
            if cut < len(message):  # else it is no request
                self._way_back = end, message[:cut]
                self._request = message[cut:]
        return self._request is not None

    def receive(self) -> Message:
        request, self._request = self._request, None
        assert request is not None
        return request

    def delivered(self) -> None:
        self._replying = True

    def check_send(self) -> None:
        if not self._replying:
            fail(Errno.EFSM)

    def can_send(self) -> bool:
        return self._replying

    def send(self, message: Message) -> None:
        assert self._way_back is not None
        end, envelope = self._way_back
        if end.outbox.has_room():  # nobody waits for one who does not read
            end.put(envelope + message)
        self._way_back, self._replying = None, False


class Router(Choosing):
    """Names every peer: first frame in, first frame out."""

    peers = frozenset({Type.REQ, Type.DEALER, Type.ROUTER})

    def __init__(self, core: SocketCore) -> None:
        super().__init__(core)
        self._routes: dict[bytes, End] = {}
        self._number = itertools.count(random.getrandbits(32))

    def attach(self, end: End) -> None:
        if end.connecting and (given := self.core.options["CONNECT_ROUTING_ID"]):
            self.core.options["CONNECT_ROUTING_ID"] = b""
            end.introduced = given
        self.connected(end)
        if self.core.options["PROBE_ROUTER"]:
            end.put([b""])

    def connected(self, end: End) -> None:
        """Name `end`, if its peer has said who it is; only then it can be read and written."""
        if end.routing_id is not None or end.introduced is None:
            return
        name = end.introduced or self._new_name()
        if (earlier := self._routes.get(name)) is not None:
            if not self.core.options["ROUTER_HANDOVER"]:
                return  # two of one name: the first one stays
            earlier.routing_id = self._new_name()
            self._routes[earlier.routing_id] = earlier
        end.routing_id = name
        self._routes[name] = end
        self.inbound.add(end)

    def _new_name(self) -> bytes:
        return b"\0" + (next(self._number) % 2**32).to_bytes(4, "big")

    def stop_sending(self, end: End) -> None:
        if end.routing_id is not None and self._routes.get(end.routing_id) is end:
            del self._routes[end.routing_id]

    def detach(self, end: End) -> None:
        self.stop_sending(end)
        super().detach(end)

    def choose(self, end: End, message: Message) -> Message | None:
        assert end.routing_id is not None
        return [end.routing_id, *message]

    def check_send(self) -> None:
        pass

    def can_send(self) -> bool:
        return True  # what cannot be sent is dropped

    def can_send_first(self, frame: bytes) -> bool:
        if not self.core.options["ROUTER_MANDATORY"]:
            return True
        if frame not in self._routes:
            fail(EHOSTUNREACH)
        return self._routes[frame].outbox.has_room()

    def send(self, message: Message) -> None:
        end = self._routes.get(message[0])
        if end is not None and len(message) > 1 and end.outbox.has_room():
            end.put(message[1:])
