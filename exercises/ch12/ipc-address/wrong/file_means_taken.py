# /// wrong
# fails = [
#     "test_killed_service",
#     "test_left_file_is_removed",
#     "test_one_service_after_the_other",
#     "test_path_without_a_folder",
#     "test_start_after_a_kill",
# ]
# en = """\
# You take the file for the queue. But the file of a UNIX socket stays when its process is \
# killed, and then your service never starts again until somebody removes it by hand. Whether \
# a queue is there only the queue can tell: connect to it."""
# zh = """\
# 你把文件当成了队列。可是进程被杀死时，UNIX 套接字的文件会留下来，从此你的服务再也启动不\
# 了，直到有人手动删掉它。队列在不在，只有队列自己能回答：连接一下试试。"""
# ///
from __future__ import annotations

import errno
import os
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
    raise OSError(errno.EADDRINUSE, "somebody is bound here", path)
