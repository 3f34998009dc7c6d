"""The file that a bound `ipc://` address leaves on disk.

Programs look for it: to see whether a queue is up, whether its name is taken, whether somebody
listens there. So it is a real listening Unix socket, or what a page has in its place. Nobody speaks
through it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import sys
from typing import Protocol

from .errors import fail

# The bytes of `sun_path` on Linux, without the final zero. A page keeps Linux's number.
IPC_PATH_MAX_LEN = 107


class _Listener(Protocol):
    def close(self) -> None: ...


class Place:
    """A path that is taken. Errors (a missing folder, no permission) are those of binding."""

    def __init__(self, path: str, temporary: bool) -> None:
        self._path = path
        self._temporary = temporary
        self._listener: _Listener | None = None
        try:
            # As libzmq does: whoever binds later takes the name, even from a living socket.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            self._listener = _listen(path)
            if self._listener is None:
                os.mknod(path, stat.S_IFSOCK | 0o755)
            self._inode = os.lstat(path).st_ino
        except OSError as error:
            self._stop_listening()
            fail(error.errno or 0)

    def is_found(self) -> bool:
        """Whether the name still leads here: not removed, not taken by another."""
        try:
            return os.lstat(self._path).st_ino == self._inode
        except OSError:
            return False

    def leave(self) -> None:
        """Listen no more. The file stays, as libzmq leaves it; only its own temporary names go."""
        self._stop_listening()
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
                os.rmdir(os.path.dirname(self._path))

    def _stop_listening(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None


def _listen(path: str) -> _Listener | None:
    """A listening socket at `path`; None where sockets are forbidden but the folder is there."""
    if sys.platform == "emscripten":
        from minisgl_page.sockets import Listener

        return Listener(path)
    listener = None
    try:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(128)
    except OSError as error:
        if listener is not None:
            listener.close()
        if isinstance(error, (FileNotFoundError, PermissionError, NotADirectoryError)):
            raise
        if not os.path.isdir(os.path.dirname(path) or "."):
            raise
        return None
    return listener
