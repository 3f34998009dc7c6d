"""Queues for an event loop, which nothing may block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ZmqAsyncPushQueue:
    """Sends each message to one PULL queue; other tasks run while it waits."""

    def __init__(self, addr: str, create: bool, encoder: Callable[[Any], Any]) -> None:
        """Bind to `addr` (`create=True`) or connect to it (`create=False`)."""
        raise NotImplementedError

    async def put(self, obj: Any) -> None:
        """Encode `obj`, pack it with msgpack, and send the bytes."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close the queue. Never wait for anybody."""
        raise NotImplementedError


class ZmqAsyncPullQueue:
    """Receives what PUSH queues send; other tasks run while it waits."""

    def __init__(self, addr: str, create: bool, decoder: Callable[[Any], Any]) -> None:
        """Bind to `addr` (`create=True`) or connect to it (`create=False`)."""
        raise NotImplementedError

    async def get(self) -> Any:
        """Wait for the next message, unpack it, and decode it."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close the queue. Never wait for anybody."""
        raise NotImplementedError
