# /// wrong
# fails = ["test_random_bits", "test_start_in_the_same_moment", "test_two_containers"]
# en = """\
# A counter keeps apart the services of one process, and the process number those of one \
# machine. But two containers have process numbers of their own: in each the first process has \
# the number 1, and each counts from 0. If they share the folder, both get the same addresses."""
# zh = """\
# 计数器能区分同一个进程里的服务，进程号能区分同一台机器上的服务。可是每个容器都有自己的一\
# 套进程号：两个容器的第一个进程都是 1 号，又都从 0 数起。如果它们共用目录，得到的地址就一\
# 样了。"""
# ///
from __future__ import annotations

import errno
import itertools
import os
import socket
import stat
import sys

STARTED = itertools.count()


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
    service = f"minisgl.{os.getpid()}.{next(STARTED)}"
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
