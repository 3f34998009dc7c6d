"""Who is bound where, and who waits for somebody to bind. Call everything with the lock held."""

from __future__ import annotations

from errno import EADDRINUSE
from typing import TYPE_CHECKING

from zmq.constants import Event

from . import courier, waiting
from .addresses import Address, parse
from .errors import fail
from .lanes import End
from .places import Place

if TYPE_CHECKING:
    from .core import SocketCore


class Listener:
    """A socket at an address."""

    def __init__(self, owner: SocketCore, address: Address) -> None:
        self.owner = owner
        self.address = address
        self.place = Place(address.path, address.temporary) if address.path else None

    def can_be_found(self) -> bool:
        return self.place is None or self.place.is_found()


_bound: dict[tuple[object, ...], Listener] = {}
_seeking: dict[tuple[object, ...], list[End]] = {}


def bind(owner: SocketCore, text: str) -> Listener:
    address = parse(text, True, owner.context.number)
    while address.key in _bound and text.endswith((":*", ":0")):  # a random port that is taken
        address = parse(text, True, owner.context.number)
    # An ipc name is taken from whoever has it; see `Place`.
    if address.key in _bound and not address.path:
        fail(EADDRINUSE)
    listener = _bound[address.key] = Listener(owner, address)
    for end in _seeking.pop(address.key, []):
        if address.transport == "inproc":
            seek(end)
        else:
            courier.after(_until_next_try(end), seek, end)
    return listener


def unbind(listener: Listener) -> None:
    if _bound.get(listener.address.key) is listener:
        del _bound[listener.address.key]
    if listener.place is not None:
        listener.place.leave()


def connect(end: End) -> None:
    """Bring `end` to whoever is bound at its address: now within a context, else in a moment.

    Nobody there is found out at once, so who binds right after is met at the next try only.
    """
    if end.address.transport == "inproc" or end.address.key not in _bound:
        seek(end)
    else:
        courier.after(courier.HANDSHAKE, seek, end)


def seek(end: End) -> None:
    """Join `end` to the socket at its address, or remember that it waits for one."""
    if end.over or end.peer is not None:
        return
    listener = _bound.get(end.address.key)
    if listener and listener.can_be_found() and _fit(end.owner, listener.owner):
        other = End(listener.owner, end.address, connecting=False)
        end.join(other)
        listener.owner.ends.append(other)
        listener.owner.post(listener.owner.accept, other)
        end.owner.post(end.owner.connected, end)
        # A monitor hears of it at once, even if the programs of both sockets are busy.
        text = listener.address.text
        listener.owner.monitor.tell(Event.ACCEPTED, text)
        listener.owner.monitor.tell(Event.HANDSHAKE_SUCCEEDED, text)
        end.owner.monitor.tell(Event.CONNECTED, end.address.text)
        end.owner.monitor.tell(Event.HANDSHAKE_SUCCEEDED, end.address.text)
        end.owner.context.settle(end)
    else:
        end.failed_at = waiting.now()
        _seeking.setdefault(end.address.key, []).append(end)


def forget() -> None:
    """Nobody is bound anywhere, and nobody waits for it."""
    for listener in list(_bound.values()):
        unbind(listener)
    _seeking.clear()


def give_up(end: End) -> None:
    """`end` seeks no longer."""
    end.over = True
    ends = _seeking.get(end.address.key, [])
    if end in ends:
        ends.remove(end)


def _fit(a: SocketCore, b: SocketCore) -> bool:
    return b.kind in a.pattern.peers and b.pattern.welcomes_more()


def _until_next_try(end: End) -> float:
    """libzmq tries again every RECONNECT_IVL; here nobody tries in vain, but the moment is kept."""
    interval = max(end.owner.options["RECONNECT_IVL"], 1) / 1000
    return interval - (waiting.now() - end.failed_at) % interval
