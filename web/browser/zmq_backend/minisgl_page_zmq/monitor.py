"""zmq_socket_monitor: what happens to a socket's connections, told to a PAIR socket."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from zmq.constants import Event, SocketType

from .errors import EINVAL, fail

if TYPE_CHECKING:
    from .core import SocketCore


class Monitor:
    """Sends events of `core` while somebody wants them. Event values are always 0."""

    def __init__(self, core: SocketCore) -> None:
        self._core = core
        self._events = 0
        self._pair: SocketCore | None = None

    def begin(self, address: str, events: int) -> None:
        if not address.startswith("inproc://"):
            fail(EINVAL)
        self.stop()
        self._pair = self._core.context.new_socket(SocketType.PAIR)
        self._pair.bind(address)
        self._events = events

    def tell(self, event: Event, endpoint: str) -> None:
        if self._pair is None or not self._events & event or self._core.context.terminating:
            return
        self._pair.process()
        if self._pair.pattern.can_send():  # else nobody has connected: as with libzmq, it is lost
            self._pair.pattern.send([struct.pack("=HI", event, 0), endpoint.encode()])

    def stop(self) -> None:
        if self._pair is not None:
            self.tell(Event.MONITOR_STOPPED, "")
            self._pair.close()
            self._pair = None
