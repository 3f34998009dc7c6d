# /// wrong
# fails = ["test_failing_is_not_refusal", "test_nobody_is_waited_for"]
# en = """\
# `connect` waits if the listener is busy and its line of callers is full. If it hangs, so does \
# your service, before it has even started. You need no connection, only the first answer: a \
# refusal or something else. How do you tell a socket not to wait?"""
# zh = """\
# 监听者正忙，排队的位置又满了，`connect` 就会一直等。它卡住了，你的服务还没启动，也跟着卡住。\
# 你并不需要真的连上，只需要第一个回答：是被拒绝，还是别的什么。怎样让套接字不等待？"""
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
    os.remove(path)


def is_alive(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(path) != errno.ECONNREFUSED
