# /// wrong
# fails = [
#     "test_bound_queue_stays",
#     "test_failing_is_not_refusal",
#     "test_one_service_after_the_other",
# ]
# en = """\
# The queue that is in use keeps its file, and that is right. But your caller cannot tell why it \
# may not bind: a program looks at `errno`, and after `OSError("some text")` that is None. Give \
# the number first, then the text. If you raise nothing at all, your caller binds all the same."""
# zh = """\
# 正在使用的队列保住了文件，这是对的。可是调用者看不出为什么不能绑定：程序看的是 `errno`，而 \
# `OSError("一段文字")` 的 `errno` 是 None。先写错误码，再写文字。如果你什么异常也没抛出，调用者就\
# 会照样去绑定。"""
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
        raise OSError(f"somebody is bound at {path}")
    os.remove(path)


def is_alive(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        return caller.connect_ex(path) != errno.ECONNREFUSED
