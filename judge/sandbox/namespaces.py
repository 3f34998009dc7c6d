"""Namespaces of an examinee's own, inside the wall that bubblewrap has built around the zygote.

The zygote becomes the owner of a user namespace, so that it can fork each examinee as the first
process of a new pid namespace. The examinee then takes its other namespaces itself and covers what is
not its own: the other gradings' queue folders, /proc, and everything writable but its scratch space.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from judge.sandbox import kernel

SCRATCH = "/scratch"
SCRATCH_OPTIONS = "size=16m,nr_inodes=512,mode=700"
_COVER_OPTIONS = "size=4k,nr_inodes=8,mode=755"
_CLOSED_OPTIONS = "size=4k,nr_inodes=2,mode=000"


def own_user_and_pid_namespace() -> None:
    """Go on in a fork that owns a new user namespace and is the first process of a pid namespace.

    Only the owner of its own pid namespace may return to it after it has made another for a fork.
    This process waits for the fork and ends as it does. Needs a single thread.
    """
    user, group = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWPID)
    _map_self(user, group)
    pid = os.fork()
    if pid:
        _, status = os.waitpid(pid, 0)
        os._exit(abs(os.waitstatus_to_exitcode(status)))


@contextlib.contextmanager
def next_fork_in_new_pid_namespace() -> Iterator[None]:
    """A fork inside becomes the first process of a new pid namespace; forks after it do not."""
    own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    try:
        kernel.unshare(kernel.CLONE_NEWPID)
        yield
        kernel.setns(own, kernel.CLONE_NEWPID)
    finally:
        os.close(own)


def enter(queue_folders: list[str]) -> None:
    """Take user, mount, network, ipc and uts namespaces and cover what is not this examinee's.

    `queue_folders` are its own folders for sockets; the last one stays writable. Each one's parent
    is covered, so that no other grading's folder can be seen.
    """
    user, group = os.getuid(), os.getgid()
    kernel.unshare(
        kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS | kernel.CLONE_NEWNET
        | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
    )  # fmt: skip
    _map_self(user, group)
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    opened = [(folder, os.open(folder, os.O_PATH | os.O_CLOEXEC)) for folder in queue_folders]
    for folder, descriptor in opened:
        parent = str(Path(folder).parent)
        kernel.mount("none", parent, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _COVER_OPTIONS)
        os.mkdir(folder)
        kernel.mount(f"/proc/self/fd/{descriptor}", folder, None, kernel.MS_BIND)
        os.close(descriptor)
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("none", "/proc", "tmpfs", flags, _CLOSED_OPTIONS)
    kernel.make_read_only("/")
    kernel.make_writable(queue_folders[-1])
    kernel.mount("none", SCRATCH, "tmpfs", flags, SCRATCH_OPTIONS)


def _map_self(user: int, group: int) -> None:
    for file, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{file}", "w") as opened:
            opened.write(line)
