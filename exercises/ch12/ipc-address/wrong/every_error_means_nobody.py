# /// wrong
# fails = ["test_failing_is_not_refusal"]
# en = """\
# You take every failed connection for an empty place. But there are many reasons to fail: the \
# listener is busy, you lack the permission, it is a socket of another kind. All of these are \
# in use. Only a refused connection proves that nobody is there."""
# zh = """\
# 只要连接失败，你就认为那里没有人。可是失败的原因很多：监听者正忙，你没有权限，或者那是另\
# 一种套接字。这些都在使用中。只有连接被拒绝，才能证明那里没有人。"""
# ///
from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import uuid


def ipc_path(address: str, platform: str = sys.platform) -> str:
    path = address.removeprefix("ipc://")
    if path == address or not path:
        raise ValueError(f"no ipc address: {address!r}")
    limit = 107 if platform == "linux" else 103
    length = len(os.fsencode(path))
    if length > limit:
        raise ValueError(f"the path has {length} bytes, the limit is {limit}: {path}")
    return path


def new_addresses(folder: str, count: int, platform: str = sys.platform) -> list[str]:
    service = uuid.uuid4().hex
    addresses = [f"ipc://{folder}/{service}.{i}" for i in range(count)]
    for address in addresses:
        ipc_path(address, platform)
    return addresses


def prepare_to_bind(address: str) -> None:
    path = ipc_path(address)
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder}")
    if not os.path.lexists(path):
        return
    if not stat.S_ISSOCK(os.lstat(path).st_mode):
        raise FileExistsError(f"{path} is no socket")
    if is_alive(path):
        raise OSError(errno.EADDRINUSE, "somebody is bound here", path)
    os.remove(path)


def is_alive(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        return caller.connect_ex(path) == 0
