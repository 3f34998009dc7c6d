# /// wrong
# fails = [
#     "test_bytes_are_counted",
#     "test_limit_of_each_platform",
#     "test_limits",
#     "test_many_in_a_long_folder",
#     "test_own_platform_is_meant",
#     "test_refusal_names_both_numbers",
# ]
# en = """\
# You measure the whole address. The kernel never sees `ipc://`; that part is for ZMQ. So your \
# limit comes six bytes too early, and paths that are right are refused."""
# zh = """\
# 你量的是整个地址。内核看不到 `ipc://`，那一部分是给 ZMQ 看的。所以你的上限早了六个字节，\
# 合格的路径也被拒绝。"""
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
    length = len(os.fsencode(address))
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
