# /// wrong
# fails = [
#     "test_killed_service",
#     "test_left_file_is_removed",
#     "test_one_service_after_the_other",
#     "test_path_without_a_folder",
# ]
# en = """\
# You find out that nobody is there, and then leave the file where it is. ZMQ would remove it \
# when it binds; a plain socket refuses to bind as long as the file exists. The function \
# promises that the address is free afterwards."""
# zh = """\
# 你查明了那里没有人，却把文件留在了原处。ZMQ 绑定时会把它删掉，普通套接字则不行：只要文件\
# 还在，就拒绝绑定。这个函数承诺的是，它返回之后地址就是空着的。"""
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


def is_alive(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        return caller.connect_ex(path) != errno.ECONNREFUSED
