"""Addresses of ipc queues: short enough, shared with nobody, and free when a queue binds."""

from __future__ import annotations

import sys


def ipc_path(address: str, platform: str = sys.platform) -> str:
    """The path in an ipc address. `platform` is a value of `sys.platform`.

    ValueError for an address that is no ipc address, and for a path that is too long there.
    """
    raise NotImplementedError


def new_addresses(folder: str, count: int, platform: str = sys.platform) -> list[str]:
    """`count` new ipc addresses in `folder`, which no other service has. Nothing is created.

    ValueError if the folder's own path is so long that no address fits.
    """
    raise NotImplementedError


def prepare_to_bind(address: str) -> None:
    """Remove the file that a killed process has left at the address, if there is one.

    ValueError: see `ipc_path`. FileNotFoundError: the folder is missing. FileExistsError: the file
    is no socket. OSError with EADDRINUSE: somebody is bound there.
    """
    raise NotImplementedError
