# /// wrong
# fails = [
#     "test_many_in_a_long_folder",
#     "test_new_addresses",
#     "test_random_bits",
#     "test_seeded_engine",
#     "test_start_in_the_same_moment",
#     "test_two_containers",
#     "test_two_services",
# ]
# en = """\
# Your names are unique, but too long: a word, 32 hexadecimal digits and a number take more \
# than 39 bytes together. Where the folder is long, every byte counts. Leave out the word, or \
# take fewer digits: 20 are more than enough."""
# zh = """\
# 你的名字是唯一的，但是太长：一个词、32 个十六进制数字，再加编号，合起来超过了 39 字节。\
# 目录很长的时候，每个字节都要省。去掉那个词，或者少用几个数字：20 个就足够了。"""
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
    service = f"queue-{uuid.uuid4().hex}"
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
