# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Mounts, unshares, joins namespaces and changes roots by every call there is for it; all are refused."
# ///
import ctypes
import os

from minisgl.shapes import Point

# unshare, setns, mount, umount2, pivot_root, chroot, mount_setattr, move_mount, open_tree, fsopen,
# fsmount, fspick, sethostname, swapon, quotactl, reboot, acct, landlock_restrict_self, seccomp
NUMBERS = {
    "x86_64": (272, 308, 165, 166, 155, 161, 442, 429, 428, 430, 432, 433, 170, 167, 179, 169, 163, 446, 317),
    "aarch64": (97, 268, 40, 39, 41, 51, 442, 429, 428, 430, 432, 433, 161, 224, 60, 142, 89, 446, 277),
}


def look():
    libc = ctypes.CDLL(None, use_errno=True)
    for number in NUMBERS[os.uname().machine]:
        for first in (b"/tmp", ctypes.c_long(0x10020000), ctypes.c_long(0)):
            result = libc.syscall(
                ctypes.c_long(number), first, b"/tmp", b"tmpfs", ctypes.c_long(0), ctypes.c_long(0)
            )
            if result != -1 or ctypes.get_errno() not in (1, 38):
                print("BREACH: call", number, first, result, ctypes.get_errno())
    for path in ("/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids"):
        for name in ("cgroup.procs", "tasks", "cgroup.subtree_control", "release_agent"):
            try:
                os.open(f"{path}/{name}", os.O_WRONLY)
            except OSError:
                continue
            print("BREACH: opened", path, name)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
