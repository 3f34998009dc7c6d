"""One publisher, many subscribers, and nobody misses a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ZmqPubQueue:
    """Sends each message to every subscriber that it has waited for."""

    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        """Bind to `addr` (`create=True`) or connect to it (`create=False`)."""
        raise NotImplementedError

    def wait_for_subscribers(self, n: int) -> None:
        """Return as soon as `n` subscriptions have arrived since the queue was made."""
        raise NotImplementedError

    def put(self, obj: Any) -> None:
        """Encode `obj`, pack it with msgpack, and publish the bytes."""
        raise NotImplementedError

    def put_raw(self, raw: bytes) -> None:
        """Publish `raw` exactly as it is."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close the queue. Never wait for anybody."""
        raise NotImplementedError


class ZmqSubQueue:
    """Receives everything that a publisher sends."""

    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        """Bind to `addr` (`create=True`) or connect to it (`create=False`)."""
        raise NotImplementedError

    def get(self) -> Any:
        """Wait for the next message, unpack it, and decode it."""
        raise NotImplementedError

    def empty(self) -> bool:
        """Whether no message is waiting. Look, do not wait, and take nothing."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close the queue. Never wait for anybody."""
        raise NotImplementedError
