"""The system calls that Python, torch, msgpack and ZMQ need; every other one is refused.

Compiled once per zygote with libseccomp. A refused call fails with EPERM, so a submission that tries
something gets a PermissionError that it can read, and is not killed without a word.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import tempfile

from judge.sandbox import kernel

_CLONE_THREAD = 0x10000
_AF_UNIX = 1
# Asked of a descriptor by Python's io and by libzmq: terminal or not, bytes waiting, (non-)blocking.
_IOCTLS = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)
# Duplicates and flags of a descriptor. Not locks: two examinees that read the same file could tell
# each other something by them. Not owners of signals, nor sizes of pipes.
_FCNTLS = (0, 1, 2, 3, 4, 1030)
# Thread names, and glibc's names for its memory.
_PRCTLS = (15, 16, 0x53564D41)

# The limit on a process's data sees neither memory that is shared and without a file nor memory that
# grows down; what may be mapped is private, or a file's.
_MAP_KIND, _MAP_SHARED, _MAP_PRIVATE, _MAP_ANONYMOUS, _MAP_GROWS_DOWN = 0x0F, 1, 2, 0x20, 0x100

# A word of a file that two processes have mapped is the same futex for both: whom one wakes is what the
# other says. Private ones serve threads; for the end of a thread glibc waits as if it were shared.
# What else is refused (libstdc++, where threads meet at a first use) tries again by itself.
_FUTEX_PRIVATE, _FUTEX_WAIT_FOR_THREAD = 128, 9 | 256

# Memory. mprotect and executable mappings stay: shared libraries are loaded on first use.
# Not mincore: what is in the page cache is a message, too.
MEMORY = "brk munmap mprotect mremap madvise msync membarrier"
FILES = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range dup dup2 dup3 open
    openat fsync fdatasync ftruncate fallocate stat fstat lstat newfstatat statx access
    faccessat faccessat2 readlink readlinkat getcwd chdir fchdir getdents getdents64 mkdir mkdirat
    rmdir unlink unlinkat rename renameat renameat2 umask fadvise64 pipe pipe2 sendfile
    copy_file_range statfs fstatfs
"""
WAITING = """
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime
"""
SOCKETS = """
    sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown getsockname getpeername getsockopt
    setsockopt
"""
# Only where the tests use queues. Elsewhere two examinees of a grading must not find each other, and
# where there is no namespace, no service of the machine may be found.
QUEUES = "bind connect listen accept accept4"
TIME = """
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getitimer setitimer
    alarm timer_create timer_settime timer_gettime timer_delete timer_getoverrun
"""
THREADS = """
    set_robust_list get_robust_list rseq set_tid_address exit exit_group gettid getpid getppid
    sched_yield sched_getaffinity sched_getparam sched_getscheduler
    sched_get_priority_max sched_get_priority_min getcpu arch_prctl
"""
SIGNALS = """
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
    pause restart_syscall
"""
# Only where Landlock or a pid namespace keeps signals within the process.
SENDING_SIGNALS = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo"
IDENTITY = """
    getuid geteuid getgid getegid getgroups getresuid getresgid getpgid getpgrp getsid getrandom
    getrusage getrlimit uname sysinfo capget getpriority
"""
# The examiner also makes its sockets accessible to the learner's side.
OF_EXAMINER = "chmod fchmod fchmodat fchmodat2"


class _Comparison(ctypes.Structure):
    """libseccomp's condition on one argument of a call."""

    _fields_ = [
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_EQUAL, _MASKED_EQUAL = 4, 7


def _library() -> ctypes.CDLL:
    """libseccomp. Raises `OSError` where it is not installed."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Comparison)
    ]  # fmt: skip
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    return library


class _Filter:
    """A filter in the making: what no rule allows is refused with EPERM."""

    def __init__(self) -> None:
        self._library = _library()
        self._context = self._library.seccomp_init(_ERRNO | errno.EPERM)

    def rule(self, name: str, *conditions: tuple[int, int, int, int], action: int = _ALLOW) -> None:
        """Add a rule for the call `name`; one that this architecture does not have is passed over."""
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return
        array = (_Comparison * len(conditions))(*conditions)
        result = self._library.seccomp_rule_add_array(
            self._context, action, number, len(conditions), array
        )
        if result < 0:
            raise OSError(-result, f"seccomp rule for {name}")

    def program(self) -> bytes:
        with tempfile.TemporaryFile() as file:
            result = self._library.seccomp_export_bpf(self._context, file.fileno())
            if result < 0:
                raise OSError(-result, "seccomp_export_bpf")
            file.seek(0)
            return file.read()

    def close(self) -> None:
        self._library.seccomp_release(self._context)


def compile_filter(*, signals: bool, queues: bool = True, examiner: bool = False) -> bytes:
    """The filter as a BPF program; `signals` allows sending signals, `queues` named sockets.

    Raises `OSError` where libseccomp is missing.
    """
    filtered = _Filter()
    groups = [MEMORY, FILES, WAITING, SOCKETS, TIME, THREADS, SIGNALS, IDENTITY]
    groups += [SENDING_SIGNALS] * signals + [QUEUES] * queues + [OF_EXAMINER] * examiner
    for name in " ".join(groups).split():
        filtered.rule(name)
    # Threads yes, processes no: one process to end, and no fork bomb anywhere.
    filtered.rule("clone", (0, _MASKED_EQUAL, _CLONE_THREAD, _CLONE_THREAD))
    # clone3 hides its flags behind a pointer; told that it does not exist, glibc uses clone.
    filtered.rule("clone3", action=_ERRNO | errno.ENOSYS)
    # libzmq sets its threads' scheduling to what it is already, and aborts the process if that fails.
    # Another policy could be given to other processes of the same user, too.
    filtered.rule("sched_setscheduler", (1, _EQUAL, os.sched_getscheduler(0), 0))
    private = _MAP_KIND | _MAP_GROWS_DOWN
    filtered.rule("mmap", (3, _MASKED_EQUAL, private, _MAP_PRIVATE))
    filtered.rule("mmap", (3, _MASKED_EQUAL, private | _MAP_ANONYMOUS, _MAP_SHARED))
    filtered.rule("futex", (1, _MASKED_EQUAL, _FUTEX_PRIVATE, _FUTEX_PRIVATE))
    filtered.rule("futex", (1, _EQUAL, _FUTEX_WAIT_FOR_THREAD, 0))
    for command in _FCNTLS:
        filtered.rule("fcntl", (1, _EQUAL, command, 0))
    for name in ("socket", "socketpair"):
        filtered.rule(name, (0, _EQUAL, _AF_UNIX, 0))
    for request in _IOCTLS:
        filtered.rule("ioctl", (1, _MASKED_EQUAL, 0xFFFFFFFF, request))
    for option in _PRCTLS:
        filtered.rule("prctl", (0, _EQUAL, option, 0))
    filtered.rule("prlimit64", (0, _EQUAL, 0, 0))
    program = filtered.program()
    filtered.close()
    return program


def install(program: bytes) -> None:
    """Put this process and all its threads to come under the filter. Needs `no_new_privs`."""
    instructions = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(instructions))
    held = ctypes.create_string_buffer(header, len(header))
    kernel.prctl(kernel.PR_SET_SECCOMP, kernel.SECCOMP_MODE_FILTER, ctypes.addressof(held))


def problem() -> str | None:
    """Why system calls cannot be filtered here, or None."""
    if not kernel.supported():
        return "seccomp filters are made for Linux on x86-64 and arm64 only"
    try:
        _library()
    except OSError as error:
        return f"libseccomp cannot be used (package libseccomp2): {error}"
    return None
