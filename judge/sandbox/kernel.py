"""The few Linux calls that Python has no function for. Each raises `OSError` with its name."""

from __future__ import annotations

import ctypes
import os
import platform
import sys

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 24, 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECCOMP_MODE_FILTER = 2

MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000

# Since Linux 5.x new calls have one number on every architecture.
SYS_MOUNT_SETATTR, SYS_LANDLOCK_CREATE, SYS_LANDLOCK_ADD, SYS_LANDLOCK_RESTRICT = 442, 444, 445, 446
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY = 1
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


class _CapabilityHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object, what: str) -> int:
    """A system call by number; integers are passed as 64 bits."""
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), what)


def prctl(option: int, *arguments: int) -> int:
    padded = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(option, *padded), f"prctl {option}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def setns(descriptor: int, kind: int) -> None:
    _checked(_libc.setns(descriptor, kind), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    filesystem = kind.encode() if kind else None
    result = _libc.mount(
        source.encode(), target.encode(), filesystem, ctypes.c_ulong(flags), options.encode()
    )
    _checked(result, f"mount {target}")


def make_read_only(target: str) -> None:
    """Make the mount at `target` and all below it read-only."""
    _set_attributes(target, _MountAttributes(set=MOUNT_ATTR_RDONLY), AT_RECURSIVE)


def make_writable(target: str) -> None:
    """Take back `make_read_only` for one mount; its other attributes stay, some are locked."""
    _set_attributes(target, _MountAttributes(clear=MOUNT_ATTR_RDONLY), 0)


def _set_attributes(target: str, attributes: _MountAttributes, flags: int) -> None:
    syscall(
        SYS_MOUNT_SETATTR, AT_FDCWD, target.encode(), flags,
        ctypes.byref(attributes), ctypes.sizeof(attributes), what=f"mount_setattr {target}",
    )  # fmt: skip


def drop_capabilities() -> None:
    """Give up every capability, also for whatever this process might execute."""
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) < 0:
            break
    _libc.prctl(PR_CAP_AMBIENT, ctypes.c_ulong(PR_CAP_AMBIENT_CLEAR_ALL), 0, 0, 0)
    header = _CapabilityHeader(_CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(ctypes.byref(header), bytes(24)), "capset")


def supported() -> bool:
    """Whether this is a system the calls above exist on."""
    return sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
