# /// wrong
# fails = ["test_bytes_are_counted", "test_refusal_names_both_numbers"]
# en = """\
# `len(path)` counts the characters of a `str`. The kernel's field holds bytes, and a path is \
# stored in UTF-8: `é` takes two of them, `消` three. With Chinese names 107 characters may be \
# 300 bytes. What has to be measured instead of the text?"""
# zh = """\
# `len(path)` 数的是 `str` 里的字符。内核的字段存的是字节，而路径以 UTF-8 存放：`é` 占两个字\
# 节，`消` 占三个。用中文起名时，107 个字符可能有 300 字节。要量的不是文本本身，那应当是什么？"""
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
    length = len(path)
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
