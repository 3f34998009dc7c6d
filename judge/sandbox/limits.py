"""Resource limits of an examinee, set by itself before it meets the learner's code."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import resource
import signal
import sys

MIB = 1024 * 1024
FILE_SIZE_MIB = 16
OPEN_FILES = 256
PENDING_SIGNALS = 1024
# Users that nobody else is: beyond those of any system, or of a container that has only 65,536.
FAR_USERS, NEAR_USERS, MANY_USERS = 2_000_000_000, 50_000, 10_000
MAX_ADDRESS = 1 << 47
PR_SET_PDEATHSIG = 1


def apply(
    *, memory_mb: int, cpu_seconds: int, base: tuple[int, int], tasks: int | None = None
) -> None:
    """Limit this process.

    `memory_mb` is what it may take beyond `base`, the zygote's own address space and data in bytes:
    torch alone maps gigabytes. `tasks` is how many threads it may have. The kernel counts them per
    user, so this is only for a process whose user has no other; for root it does not hold.
    """
    r = resource
    if sys.platform == "linux":
        # Address space is only reserved, a lot of it for each thread.
        _set(r.RLIMIT_AS, base[0] + 4 * memory_mb * MIB)
        _set(r.RLIMIT_DATA, base[1] + memory_mb * MIB)
        # Each timer takes one of these, and memory of the kernel's.
        _set(r.RLIMIT_SIGPENDING, PENDING_SIGNALS)
        if tasks is not None:
            _set(r.RLIMIT_NPROC, tasks)
    # One second more before the kernel kills: SIGXCPU first tells the two apart.
    r.setrlimit(r.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    _set(r.RLIMIT_FSIZE, FILE_SIZE_MIB * MIB)
    _set(r.RLIMIT_NOFILE, OPEN_FILES)
    _set(r.RLIMIT_CORE, 0)


def memory_in_use() -> tuple[int, int]:
    """This process's address space and data in bytes, for `apply`."""
    if sys.platform != "linux":
        return 0, 0
    return in_use(resource.RLIMIT_AS), in_use(resource.RLIMIT_DATA)


def become_a_user_to_count(number: int) -> bool:
    """Give root a real user of its own, by which the kernel counts threads; whether that worked.

    The effective user, which decides about files, stays root.
    """
    for base in (FAR_USERS, NEAR_USERS):
        with contextlib.suppress(OSError, ValueError):
            os.setresuid(base + number % MANY_USERS, 0, 0)
            return True
    return False


def die_with_parent() -> None:
    """Have the kernel end this process when its parent ends, so that nothing outlives the judge."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _set(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def in_use(which: int) -> int:
    """How many bytes of that limit (`RLIMIT_AS` or `RLIMIT_DATA`) this process uses, to a mebibyte.

    The sandbox has no /proc to read it from, so this tries from which soft limit on the kernel still
    gives another page. Only for a process with one thread: others would fail meanwhile.
    """
    old, hard = resource.getrlimit(which)
    low, high = 0, MAX_ADDRESS if hard == resource.RLIM_INFINITY else hard
    try:
        while high - low > MIB:
            middle = (low + high) // 2
            resource.setrlimit(which, (middle, hard))
            try:
                mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
                high = middle
            except OSError:
                low = middle
    finally:
        resource.setrlimit(which, (old, hard))
    return high
