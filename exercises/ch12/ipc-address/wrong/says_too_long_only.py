# /// wrong
# fails = ["test_refusal_names_both_numbers"]
# en = """\
# The text of your refusal says that the path is too long, but not how long it is and how long \
# it may be. Whoever reads it in a log has to count letters, and to know the limit by heart. \
# Both numbers are at hand where you raise."""
# zh = """\
# 你的异常信息只说路径太长，却没有说实际有多长、最多能有多长。在日志里读到它的人，得自己去数有多\
# 长，还得记得上限是多少。抛出异常的地方，这两个数字都是现成的。"""
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
        raise ValueError(f"the path is too long: {path}")
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
