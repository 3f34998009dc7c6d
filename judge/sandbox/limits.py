"""Resource limits of an examinee, set by itself before it meets the learner's code."""

from __future__ import annotations

import contextlib
import ctypes
import resource
import signal
import sys

MIB = 1024 * 1024
FILE_SIZE_MIB = 16
OPEN_FILES = 256
PR_SET_PDEATHSIG = 1


def apply(*, memory_mb: int, cpu_seconds: int) -> None:
    """Limit this process. `memory_mb` is what it may take beyond what the zygote already uses."""
    r = resource
    # torch alone maps gigabytes of address space, so the limit counts from where the fork starts.
    address_space = _status_kib("VmSize") * 1024 + memory_mb * MIB
    data = _status_kib("VmData") * 1024 + memory_mb * MIB
    if sys.platform == "linux":
        _set(r.RLIMIT_AS, address_space)
        _set(r.RLIMIT_DATA, data)
    # One second more before the kernel kills: SIGXCPU first tells the two apart.
    r.setrlimit(r.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    _set(r.RLIMIT_FSIZE, FILE_SIZE_MIB * MIB)
    _set(r.RLIMIT_NOFILE, OPEN_FILES)
    _set(r.RLIMIT_CORE, 0)


def die_with_parent() -> None:
    """Have the kernel end this process when its parent ends, so that nothing outlives the judge."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _set(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def _status_kib(field: str) -> int:
    with contextlib.suppress(OSError), open("/proc/self/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1])
    return 0
