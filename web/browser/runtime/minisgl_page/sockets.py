"""What the page has in place of sockets: the nodes that bound `ipc://` addresses leave on its disk.

A program may ask of such a node what it asks of a Unix socket: whether it is one, and whether
somebody listens there (`connect` says so). Nothing can be sent. All other sockets are refused;
Emscripten's own would try to open a connection, or end the interpreter.
"""

from __future__ import annotations

import errno
import os
import socket
from typing import Any

from .bridge import bridge
from .errors import NoSockets

AF_UNIX = 1  # Linux's number; Pyodide has none

_listening: set[int] = set()  # inodes


class Listener:
    """A node at `path`, where somebody listens until `close`. The node stays, as on Linux.

    Errors: OSError as for making a file (the folder is missing, the name is taken, …).
    """

    def __init__(self, path: str) -> None:
        with open(path, "xb"):
            pass
        bridge.make_socket_node(os.path.abspath(path))
        os.chmod(path, 0o755)
        self._inode = os.lstat(path).st_ino
        _listening.add(self._inode)

    def close(self) -> None:
        _listening.discard(self._inode)


class PageSocket(socket.socket):
    """A Unix socket that can find out whether somebody listens at a path."""

    def __init__(
        self, family: int = -1, type: int = -1, proto: int = -1, fileno: int | None = None
    ) -> None:
        if family != AF_UNIX or fileno is not None:
            raise NoSockets
        self._connected = False

    def connect(self, address: Any, /) -> None:
        inode = os.stat(address).st_ino  # FileNotFoundError as it should be
        if inode not in _listening:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
        self._connected = True

    def connect_ex(self, address: Any, /) -> int:
        try:
            self.connect(address)
        except OSError as error:
            return error.errno or errno.EINVAL
        return 0

    def close(self) -> None:
        self._connected = False

    def setblocking(self, flag: bool, /) -> None:
        pass  # connecting never waits

    def settimeout(self, value: float | None, /) -> None:
        pass  # connecting never waits

    def bind(self, address: Any, /) -> None:
        raise NoSockets

    listen = send = sendall = recv = bind  # type: ignore[assignment]

    def __enter__(self) -> PageSocket:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<PageSocket family=AF_UNIX connected={self._connected}>"


def install() -> None:
    socket.AF_UNIX = AF_UNIX  # type: ignore[assignment]
    socket.socket = socket.SocketType = PageSocket  # type: ignore[misc]


def forget() -> None:
    """Nobody listens any more."""
    _listening.clear()
