"""One message, one receiver: PUSH and PULL queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ZmqPushQueue:
    """Sends each message to one PULL queue."""

    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        """Bind to `addr` (`create=True`) or connect to it (`create=False`)."""
        raise NotImplementedError

    def put(self, obj: Any) -> None:
        """Encode `obj`, pack it with msgpack, and send the bytes."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close the queue. Never wait for anybody."""
        raise NotImplementedError


class ZmqPullQueue:
    """Receives what PUSH queues send."""

    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        """Bind to `addr` (`create=True`) or connect to it (`create=False`)."""
        raise NotImplementedError

    def get(self) -> Any:
        """Wait for the next message and decode it."""
        raise NotImplementedError

    def get_raw(self) -> bytes:
        """Wait for the next message and return its bytes as they came."""
        raise NotImplementedError

    def decode(self, raw: bytes) -> Any:
        """Unpack `raw` with msgpack and decode it. Take nothing from the queue."""
        raise NotImplementedError

    def empty(self) -> bool:
        """Whether no message is waiting. Look, do not wait, and take nothing."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close the queue. Never wait for anybody."""
        raise NotImplementedError
