# /// wrong
# fails = ["test_random_bits", "test_start_in_the_same_moment"]
# en = """\
# The clock shows when a service started, not which one it is. A launcher starts several \
# containers at once, and in each of them the process has the number 1: two that read the same \
# time have the same addresses. A clock may also be set back. Who can give a name that does not \
# depend on the moment?"""
# zh = """\
# 时钟只说明服务什么时候启动，并不说明它是哪一个。容器常常是几个一起启动的，每个容器里的进程又\
# 都是 1 号：读到同一时刻的两个服务，地址就一样了。时钟还可能往回拨。谁能给出与时刻无关的名字？"""
# ///
from __future__ import annotations

import errno
import itertools
import os
import socket
import stat
import sys
import time

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
    service = f"{os.getpid()}-{time.time_ns()}-{next(STARTED)}"
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
