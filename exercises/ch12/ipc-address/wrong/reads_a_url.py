# /// wrong
# fails = ["test_no_character_is_special"]
# en = """\
# You read the address as a URL. There `?` begins a query and `#` a fragment, and what follows \
# them is no longer part of the path. In the name of a file they are characters like all others, so \
# your path is another one. The address has one prefix to take off, and nothing else."""
# zh = """\
# 你把地址当成 URL 来解析。在 URL 里，`?` 后面是查询，`#` 后面是片段，都不再算路径。可是在文件名里，\
# 它们和别的字符没有两样，于是你得到的是另一个路径。这种地址只有一个前缀要去掉，别的什么也没有。"""
# ///
from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import uuid
from urllib.parse import urlsplit


def ipc_path(address: str, platform: str = sys.platform) -> str:
    parts = urlsplit(address)
    path = parts.netloc + parts.path
    if not address.startswith("ipc://") or not path:
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
    os.remove(path)


def is_alive(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        return caller.connect_ex(path) != errno.ECONNREFUSED
