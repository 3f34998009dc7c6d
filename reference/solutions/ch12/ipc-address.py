"""Addresses of ipc queues: short enough, shared with nobody, and free when a queue binds."""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import uuid

_PREFIX = "ipc://"


def ipc_path(address: str, platform: str = sys.platform) -> str:
    if not address.startswith(_PREFIX):
        raise ValueError(f"{address!r} is no ipc address: it does not begin with {_PREFIX}")
    path = address.removeprefix(_PREFIX)
    if not path:
        raise ValueError(f"{address!r} has no path")
    # The size of `sun_path` without its final zero. macOS has it from BSD, as all others have.
    limit = 107 if platform == "linux" else 103
    length = len(os.fsencode(path))
    if length > limit:
        raise ValueError(f"{path!r} has {length} bytes, but the system allows {limit}")
    return path


def new_addresses(folder: str, count: int, platform: str = sys.platform) -> list[str]:
    # uuid4 asks the operating system: no seed, fork or process number makes two of them alike.
    service = uuid.uuid4().hex
    addresses = [f"{_PREFIX}{folder}/{service}.{number}" for number in range(count)]
    for address in addresses:
        ipc_path(address, platform)
    return addresses


def prepare_to_bind(address: str) -> None:
    path = ipc_path(address)
    folder = os.path.dirname(path) or os.curdir
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, f"no folder to bind {address} in", folder)
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise FileExistsError(errno.EEXIST, "this is no socket, so it stays", path)
    if _somebody_is_there(path):
        raise OSError(errno.EADDRINUSE, "somebody is bound here", path)
    os.unlink(path)


def _somebody_is_there(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        # A listener that is busy would keep a caller waiting.
        caller.setblocking(False)
        # Only a refusal proves that nobody is there. Busy, forbidden, another kind of socket: alive.
        return caller.connect_ex(path) != errno.ECONNREFUSED
