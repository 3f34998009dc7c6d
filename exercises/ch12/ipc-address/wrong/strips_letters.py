# /// wrong
# fails = [
#     "test_bound_queue_stays",
#     "test_bytes_are_counted",
#     "test_failing_is_not_refusal",
#     "test_file_is_kept",
#     "test_folder_as_path",
#     "test_killed_service",
#     "test_left_file_is_removed",
#     "test_limit_of_each_platform",
#     "test_limits",
#     "test_missing_folder",
#     "test_no_character_is_special",
#     "test_nothing_is_created",
#     "test_one_service_after_the_other",
#     "test_own_platform_is_meant",
#     "test_path_comes_whole",
#     "test_refusal_names_both_numbers",
#     "test_start_after_a_kill",
# ]
# en = """\
# `lstrip` does not remove a beginning, it removes letters: every one at the front that occurs \
# in its argument. `ipc:///tmp/q` loses the slash of its path as well, and `ipc://pics/q` \
# becomes `s/q`. Look for the method of `str` that removes exactly one beginning."""
# zh = """\
# `lstrip` 去掉的不是开头那一段，而是一个个字符：最前面凡是出现在参数里的字符，都会去掉。\
# `ipc:///tmp/q` 连路径的斜杠也丢了，`ipc://pics/q` 变成了 `s/q`。`str` 有一个方法，正好去掉开头\
# 的一段，找找看。"""
# ///
from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import uuid


def ipc_path(address: str, platform: str = sys.platform) -> str:
    path = address.lstrip("ipc://")  # noqa: B005 - the mistake
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
