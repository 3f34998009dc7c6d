"""The end of a program: whatever it left open is closed, and nothing is delivered any more."""

from __future__ import annotations

from . import contexts, core, courier, network, waiting


def end_all() -> None:
    """Close all sockets without lingering, and end all contexts. Nobody may be waiting for them."""
    with waiting.lock:
        for socket in list(core.by_number.values()):
            socket.options["LINGER"] = 0
            socket.close()
        for context in list(contexts.by_number.values()):
            context.drop_unsent()
        courier.forget()
        network.forget()
