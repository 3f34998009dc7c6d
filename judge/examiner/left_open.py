"""ZMQ contexts that the code of a run leaves open. In a judge they end with their process."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import zmq


@contextlib.contextmanager
def contexts_closed_afterwards() -> Iterator[None]:
    """Close every context that was made inside and is still open, whatever it has yet to send.

    They are kept until then: else the garbage collector ends them wherever it happens to run, and
    ending one waits for ever if a message lingers in it.
    """
    made: list[zmq.Context] = []
    make = zmq.Context.__init__

    def make_and_note(self: zmq.Context, *arguments: object, **keywords: object) -> None:
        make(self, *arguments, **keywords)
        made.append(self)

    threads_before = set(threading.enumerate())
    zmq.Context.__init__ = make_and_note
    try:
        yield
    finally:
        zmq.Context.__init__ = make
        # A thread that goes on may be inside a socket, which nobody else may close then.
        alone = set(threading.enumerate()) <= threads_before
        for context in made:
            if not context.closed:
                _end(context, close_sockets=alone)


def _end(context: zmq.Context, *, close_sockets: bool) -> None:
    for socket in list(context._sockets):
        with contextlib.suppress(zmq.ZMQError):
            socket.linger = 0
            if close_sockets:
                socket.close()
    # What was closed with messages in it waits here for ever, so nobody waits for this thread. Where
    # there are no threads, nothing can wait either, and the page closes what is left.
    with contextlib.suppress(RuntimeError):
        threading.Thread(target=context.term, daemon=True).start()
