# /// wrong
# fails = ["test_path_without_a_folder"]
# en = """\
# `os.path.dirname` of a path without a folder is the empty text, and a folder with an empty \
# name exists nowhere. For the system such a path begins in the current folder. How is that \
# one called?"""
# zh = """\
# 路径里没有目录时，`os.path.dirname` 得到空字符串，而名字为空的目录哪里都没有。对系统来说，\
# 这样的路径从当前目录开始。当前目录怎么写？"""
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
    folder = os.path.dirname(path)
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
        return caller.connect_ex(path) != errno.ECONNREFUSED
