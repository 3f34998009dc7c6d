"""What the page gives to Python: the functions that `host.mjs` registers under this one name."""

from __future__ import annotations

from typing import Any, Protocol

import _minisgl_page_host as _host


class Bridge(Protocol):
    stack_switching: bool

    def turn(self) -> None:
        """Call the turn's listener once the page's own events have had a turn."""

    def on_turn(self, listener: Any) -> None: ...

    def start(self, body: Any) -> None:
        """Call the proxy `body` on a stack of its own, once the running stack has stepped aside."""

    def set_alarm(self, milliseconds: float) -> None:
        """Call the alarm's listener then; an alarm that was set before is forgotten."""

    def on_alarm(self, listener: Any) -> None: ...

    def write(self, stream: str, text: str) -> None: ...

    def post(self, event: str) -> None:
        """Hand an event, as JSON, to whoever owns the host."""

    def make_socket_node(self, path: str) -> None:
        """Turn an empty file into a Unix socket's node, which Python alone cannot make here."""


bridge: Bridge = _host
