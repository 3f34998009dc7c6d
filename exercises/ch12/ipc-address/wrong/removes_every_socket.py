# /// wrong
# fails = [
#     "test_bound_queue_stays",
#     "test_failing_is_not_refusal",
#     "test_living_queue_keeps_its_file",
#     "test_one_service_after_the_other",
# ]
# en = """\
# You remove the file of every socket, also of one that is in use. The queue that is bound \
# there goes on without an error, but no new process ever finds it. That is exactly what ZMQ \
# does by itself, and what this function is there to prevent."""
# zh = """\
# 不管是不是正在使用，只要是套接字的文件你都删除。绑定在那里的队列照样运行，也不报错，可是\
# 再也没有新的进程找得到它。ZMQ 自己就是这样做的，而这个函数正是要防止这种事。"""
# ///
from __future__ import annotations

import os
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
    os.remove(path)
