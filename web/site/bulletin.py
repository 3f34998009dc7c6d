"""`Bulletin`: who waits for news of a submission is woken when there are some.

It only says that something changed; what, stands in the database. So a lost or a needless call does no
harm, and every wait has a limit.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Bulletin:
    """Safe to use from several threads. `room` is how many may wait at a time."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._listeners: dict[int, list[threading.Event]] = {}
        self._closed = False

    @contextmanager
    def listen(self, number: int) -> Iterator[threading.Event | None]:
        """An event that is set at each change of this submission. Clear it, then read the database.

        None if there is no room to wait: then look once and come back later.
        """
        event = threading.Event()
        with self._lock:
            admitted = self._room > 0 and not self._closed
            if admitted:
                self._room -= 1
                self._listeners.setdefault(number, []).append(event)
        if not admitted:
            yield None
            return
        try:
            yield event
        finally:
            with self._lock:
                self._room += 1
                listeners = self._listeners[number]
                listeners.remove(event)
                if not listeners:
                    del self._listeners[number]

    def ring(self, number: int) -> None:
        """This submission has changed."""
        with self._lock:
            for event in self._listeners.get(number, ()):
                event.set()

    def ring_all(self) -> None:
        """The queue has moved, so any submission's place may have changed."""
        with self._lock:
            for listeners in self._listeners.values():
                for event in listeners:
                    event.set()

    @property
    def listening(self) -> int:
        """How many wait at this moment."""
        with self._lock:
            return sum(map(len, self._listeners.values()))

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Wake all who listen, now and later: the site is ending."""
        with self._lock:
            self._closed = True
        self.ring_all()
