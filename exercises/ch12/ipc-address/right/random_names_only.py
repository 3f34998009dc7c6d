"""Addresses of ipc queues.

Differs: every address has random bytes of its own; if the path is free, the system is asked for the
folder, and its own exception names it; connecting has a timeout, which a UNIX socket never needs.
"""

from __future__ import annotations

import base64
import errno
import os
import socket
import stat
import sys


def ipc_path(address: str, platform: str = sys.platform) -> str:
    scheme, separator, path = address.partition("://")
    if scheme != "ipc" or not separator or not path:
        raise ValueError(f"expected ipc://PATH, got {address!r}")
    length, limit = len(path.encode()), 107 if platform == "linux" else 103
    if length <= limit:
        return path
    raise ValueError(f"{length} > {limit} bytes: {path}")


def new_addresses(folder: str, count: int, platform: str = sys.platform) -> list[str]:
    made: set[str] = set()
    while len(made) < count:
        name = base64.b32encode(os.urandom(15)).decode("ascii").lower()
        address = "ipc://" + os.path.join(folder, name)
        ipc_path(address, platform)
        made.add(address)
    return sorted(made)


def prepare_to_bind(address: str) -> None:
    path = ipc_path(address)
    if not os.path.exists(path):
        os.stat(os.path.dirname(path) or ".")
        return
    if not stat.S_ISSOCK(os.stat(path).st_mode):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
    caller = socket.socket(socket.AF_UNIX)
    try:
        caller.settimeout(0.05)
        answer = caller.connect_ex(path)
    finally:
        caller.close()
    if answer == errno.ECONNREFUSED:
        os.remove(path)
    else:
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE), path)
