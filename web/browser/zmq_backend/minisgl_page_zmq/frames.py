"""pyzmq's Frame on plain bytes, and bytes that say when nobody holds them any more."""

from __future__ import annotations

import threading
from errno import EINVAL
from typing import Any

import zmq

from .errors import fail


class TrackedBytes(bytes):
    """The content of a tracked Frame. Its event is set when the last holder lets go of it.

    With libzmq a sender may reuse its buffer from then on. Here every message is a copy, so this
    only keeps what `MessageTracker.done` tells.
    """

    event: threading.Event

    def __del__(self) -> None:
        self.event.set()


def bytes_of(data: Any) -> bytes:
    """A copy of a buffer; BufferError if it is in pieces, TypeError if it is none."""
    if isinstance(data, bytes):
        return data
    view = memoryview(data)
    if not view.contiguous:
        raise BufferError("the buffer's memory is not contiguous")
    return view.tobytes()


class Frame:
    """One frame. `more`, `tracker` and the buffer behave as pyzmq documents them."""

    more: bool = False
    tracker: Any = None
    tracker_event: threading.Event | None = None
    _content: bytes = b""
    _view: memoryview | None = None

    def __init__(
        self,
        data: Any = None,
        track: bool = False,
        copy: bool | None = None,
        copy_threshold: int | None = None,
        **_: Any,
    ) -> None:
        if isinstance(data, str):
            raise TypeError("a frame holds bytes; encode the str first")
        if track:
            self.tracker = zmq._FINISHED_TRACKER
        if data is None:
            return
        self._content = bytes_of(data)
        if copy is None:
            threshold = zmq.COPY_THRESHOLD if copy_threshold is None else copy_threshold
            copy = len(self._content) < threshold
        if track and not copy:
            content = TrackedBytes(self._content)
            content.event = self.tracker_event = threading.Event()
            self.tracker = zmq.MessageTracker(content.event)
            self._content = content

    @property
    def content(self) -> bytes:
        """The very bytes that are sent: an equal copy would not be tracked."""
        return self._content

    @property
    def bytes(self) -> bytes:
        return bytes_of(memoryview(self._content)) if self.tracker_event else self._content

    @property
    def buffer(self) -> memoryview:
        if self._view is None:
            self._view = memoryview(self._content)
        return self._view

    def __buffer__(self, flags: int) -> memoryview:
        """`memoryview(frame)`, from Python 3.12 on, which the page has."""
        return memoryview(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __copy__(self) -> Frame:
        return self.fast_copy()

    def fast_copy(self) -> Frame:
        copy = type(self)()
        copy._content, copy.tracker, copy.tracker_event = (
            self._content,
            self.tracker,
            self.tracker_event,
        )
        return copy

    def get(self, option: int | str | bytes) -> int | str:
        """MORE only: properties such as "Peer-Address" need a connection that has any."""
        if isinstance(option, int):
            if option == zmq.MORE:
                return int(self.more)
        elif not isinstance(option, str | bytes):
            raise TypeError(f"an option is an int or a str, not {option!r}")
        fail(EINVAL)

    def set(self, option: int | str, value: Any) -> None:
        fail(EINVAL)
