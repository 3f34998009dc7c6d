"""zmq_poll: wait for several sockets at once."""

from __future__ import annotations

import select
from collections.abc import Sequence
from typing import Any

from zmq.constants import POLLERR, POLLIN, POLLOUT

from . import waiting
from .sockets import Socket

# Descriptors that are not ours ring no bell, so they are looked at again and again.
_LOOK_AGAIN = 0.005


def zmq_poll(sockets: Sequence[tuple[Any, int]], timeout: int = -1) -> list[tuple[Any, int]]:
    """Those of `sockets` (or descriptors) with an event, and which; [] after `timeout` ms."""
    if not sockets:
        return []
    items = [(_item(thing), wanted) for thing, wanted in sockets]
    cores = [item.core() for item, _ in items if isinstance(item, Socket)]
    deadline = None if timeout < 0 else waiting.now() + timeout / 1000
    foreign = len(cores) < len(items)
    with waiting.lock:
        bell = waiting.Bell()
        for core in cores:
            core.bells.append(bell)
        try:
            while not (found := _look(items)):
                left = None if deadline is None else deadline - waiting.now()
                if left is not None and left <= 0:
                    break
                if foreign:
                    left = _LOOK_AGAIN if left is None else min(left, _LOOK_AGAIN)
                bell.wait(left)
        finally:
            for core in cores:
                core.bells.remove(bell)
    return found


def _item(thing: Any) -> Socket | int:
    if isinstance(thing, Socket | int):
        return thing
    if not hasattr(thing, "fileno"):
        raise TypeError(f"cannot poll {thing!r}: neither a ZMQ socket nor a descriptor")
    try:
        return int(thing.fileno())
    except Exception as error:
        raise ValueError(f"fileno() of {thing!r} gives no descriptor") from error


def _look(items: list[tuple[Socket | int, int]]) -> list[tuple[Any, int]]:
    found = []
    for item, wanted in items:
        happened = item.core().events() if isinstance(item, Socket) else _descriptor_events(item)
        if happened := happened & int(wanted | POLLERR):
            found.append((item, happened))
    return found


def _descriptor_events(descriptor: int) -> int:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN | select.POLLOUT)
    happened = poll.poll(0)
    bits = happened[0][1] if happened else 0
    names = ((select.POLLIN, POLLIN), (select.POLLOUT, POLLOUT), (select.POLLERR, POLLERR))
    return sum(int(ours) for theirs, ours in names if bits & theirs)
