"""zmq_proxy: hand messages on between two sockets until the context ends."""

from __future__ import annotations

from zmq.constants import POLLIN, SNDMORE

from . import waiting
from .polling import zmq_poll
from .sockets import Socket


def proxy(frontend: Socket, backend: Socket, capture: Socket | None = None) -> int:
    """Hand messages on, both ways, and a copy of each to `capture`. Ends with ContextTerminated."""
    return proxy_steerable(frontend, backend, capture)


def proxy_steerable(
    frontend: Socket,
    backend: Socket,
    capture: Socket | None = None,
    control: Socket | None = None,
) -> int:
    """A proxy that obeys PAUSE, RESUME, TERMINATE and STATISTICS from `control`."""
    # Per direction: messages received, bytes received; every one received is also sent on.
    counts = {frontend: [0, 0], backend: [0, 0]}
    paused = False
    while True:
        polled = [] if paused else list(dict.fromkeys((frontend, backend)))
        if control is not None:
            polled.append(control)
        for socket, _ in zmq_poll([(socket, POLLIN) for socket in polled], -1):
            if socket is not control:
                target = backend if socket is frontend else frontend
                message = _receive(socket)
                counts[socket][0] += 1
                counts[socket][1] += sum(map(len, message))
                _send(target, message)
                if capture is not None:
                    _send(capture, message)
                continue
            command = _receive(socket)[0]
            if command == b"TERMINATE":
                return 0
            if command in (b"PAUSE", b"RESUME"):
                paused = command == b"PAUSE"
            elif command == b"STATISTICS":
                there, back = counts[frontend], counts[backend]
                numbers = [*there, *back, *back, *there]
                _send(socket, [number.to_bytes(8, "little") for number in numbers])


def _receive(socket: Socket) -> list[bytes]:
    core = socket.core()
    with waiting.lock:
        message = [core.receive(0)]
        while core.more:
            message.append(core.receive(0))
    return message


def _send(socket: Socket, message: list[bytes]) -> None:
    core = socket.core()
    with waiting.lock:
        for frame in message[:-1]:
            core.send(frame, SNDMORE)
        core.send(message[-1], 0)
