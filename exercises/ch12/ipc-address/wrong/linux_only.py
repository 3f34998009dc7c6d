# /// wrong
# fails = [
#     "test_bytes_are_counted",
#     "test_limit_of_each_platform",
#     "test_limits",
#     "test_refusal_names_both_numbers",
# ]
# en = """\
# Your limit is that of Linux, on every platform. macOS and the BSD systems keep a UNIX \
# socket's path in a smaller field. What you write on Linux then fails there, and only for \
# people whose folders are long."""
# zh = """\
# 你在所有平台上都用 Linux 的上限。macOS 和 BSD 系统存放 UNIX 套接字路径的字段更小。在 \
# Linux 上写好的程序，到了那边就会出错，而且只在目录很长的人那里出错。"""
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
    limit = 107
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
        return caller.connect_ex(path) != errno.ECONNREFUSED
