"""Addresses of ipc queues.

Differs: paths are `pathlib` objects; a process takes its name from `secrets` when the module is
loaded, and counts on; a connection that is refused is an exception.
"""

from __future__ import annotations

import itertools
import os
import re
import secrets
import socket
import sys
from errno import EADDRINUSE
from pathlib import Path

SERVICE = secrets.token_hex(10)
NUMBERS = itertools.count()
LIMITS = {"linux": 107}


def ipc_path(address: str, platform: str = sys.platform) -> str:
    found = re.fullmatch("ipc://(.+)", address, re.DOTALL)
    if found is None:
        raise ValueError(f"no ipc address: {address}")
    limit = LIMITS.get(platform, 103)
    too_much = len(os.fsencode(found[1])) - limit
    if too_much > 0:
        raise ValueError(f"{limit + too_much} bytes are too long for a path; the limit is {limit}")
    return found[1]


def new_addresses(folder: str, count: int, platform: str = sys.platform) -> list[str]:
    if len(os.fsencode(folder)) + 40 > LIMITS.get(platform, 103):
        raise ValueError(f"no room for addresses in {folder}")
    return [f"ipc://{folder}/mg-{SERVICE}-{next(NUMBERS)}" for _ in range(count)]


def prepare_to_bind(address: str) -> None:
    path = Path(ipc_path(address))
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent}")
    if path.is_socket():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            caller.settimeout(0)
            try:
                caller.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()
                return
            except OSError as error:
                raise OSError(EADDRINUSE, f"cannot be asked: {error}") from error
        raise OSError(EADDRINUSE, "a queue is bound here")
    if path.exists():
        raise FileExistsError(f"{path} is no socket")
