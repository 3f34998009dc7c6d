# /// wrong
# fails = ["test_random_bits", "test_seeded_engine", "test_start_in_the_same_moment"]
# en = """\
# The module `random` is not as random as it looks: whoever calls `random.seed(0)` gets the \
# same numbers again. Engines do that so that their answers can be repeated, and then all of \
# them choose the same addresses. The operating system has random bytes that no seed can \
# repeat."""
# zh = """\
# `random` 模块并没有看上去那么随机：调用 `random.seed(0)` 之后，会再次得到同样的数。引擎\
# 为了让回答能够重现，正是这样做的，于是它们全都选了同样的地址。操作系统提供的随机字节，任\
# 何种子都无法重现。"""
# ///
from __future__ import annotations

import errno
import os
import random
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
    service = f"{random.getrandbits(64):016x}"
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
