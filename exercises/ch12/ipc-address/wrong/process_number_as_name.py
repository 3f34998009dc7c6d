# /// wrong
# fails = [
#     "test_new_addresses",
#     "test_random_bits",
#     "test_seeded_engine",
#     "test_start_in_the_same_moment",
#     "test_two_containers",
# ]
# en = """\
# The number of the process names the process, not the service. A process that starts two \
# services gives both the same addresses; and in containers every first process has the number \
# 1. Where the folder is shared, one service takes the addresses of the other."""
# zh = """\
# 进程号只能代表进程，不能代表服务。一个进程启动两个服务，两个服务就得到同样的地址；而在容\
# 器里，每个容器的第一个进程都是 1 号。目录如果是共用的，一个服务就会抢走另一个的地址。"""
# ///
from __future__ import annotations

import errno
import os
import socket
import stat
import sys


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
    service = f"minisgl.pid={os.getpid()}"
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
