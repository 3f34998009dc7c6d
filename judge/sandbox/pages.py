"""Memory in few large pieces, so that a fork has less to note and its end less to take down.

A fork copies the page table of all private memory: some 37,000 entries of 4 kB in a process that has
imported torch. That, and taking it down again, was half of what a short-lived fork costs. In pages of
2 MB there are a hundred entries. Where a fork writes, the kernel splits a page and copies 4 kB as ever.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

_HUGE = 2 * 2**20
_MADV_HUGEPAGE, _MADV_COLLAPSE = 14, 25  # linux/mman.h; MADV_COLLAPSE is there since Linux 6.1
_libc = ctypes.CDLL(None, use_errno=True)


def gather() -> Iterator[None]:
    """Gather this process's private memory into huge pages, 2 MB (some 5 ms) at a step.

    Ends at once where the kernel does not do that. Meant for idle moments of a process that forks.
    """
    for place in _pieces():
        address, size = ctypes.c_void_p(place), ctypes.c_size_t(_HUGE)
        if _libc.madvise(address, size, _MADV_HUGEPAGE) or _libc.madvise(
            address, size, _MADV_COLLAPSE
        ):
            return
        yield


def _pieces() -> list[int]:
    """Addresses of the aligned 2 MB pieces of writable memory that no file stands behind."""
    try:
        with open("/proc/self/maps") as maps:
            lines = maps.readlines()
    except OSError:  # not a Linux
        return []
    found: list[int] = []
    for line in lines:
        span, rights, _, _, inode, *name = line.split()
        if rights.startswith("rw") and inode == "0" and name in ([], ["[heap]"]):
            start, end = (int(part, 16) for part in span.split("-"))
            found += range(-(-start // _HUGE) * _HUGE, end - _HUGE + 1, _HUGE)
    return found
