# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Tries the calls through which kernels were broken, and all numbers unknown today; only a list is allowed."
# ///
import ctypes
import os

from minisgl.shapes import Point

# io_uring, bpf, perf_event_open, userfaultfd, keyctl, add_key, personality; modules, kexec, syslog,
# iopl, modify_ldt; splice and its kin, pages and their places; fanotify, inotify, signalfd, pidfd,
# memfd, cachestat; priorities, locks, clocks; groups and sessions; links, modes, owners, attributes.
NUMBERS = {
    "x86_64": (
        425, 426, 321, 298, 323, 250, 248, 135, 175, 313, 246, 103, 172, 154, 275, 278, 276, 216, 279,
        237, 256, 238, 212, 310, 206, 300, 294, 289, 434, 319, 447, 451, 141, 251, 314, 149, 151, 227,
        164, 159, 109, 112, 116, 322, 86, 88, 133, 76, 90, 92, 188, 280,
    ),
    "aarch64": (
        425, 426, 280, 241, 282, 219, 217, 92, 105, 273, 104, 116, 76, 75, 77, 234, 239, 235, 238, 237,
        18, 270, 0, 262, 26, 74, 434, 279, 447, 451, 140, 30, 274, 228, 230, 112, 170, 171, 154, 157,
        159, 281, 37, 36, 33, 45, 53, 55, 5, 88,
    ),
}


def look():
    libc = ctypes.CDLL(None, use_errno=True)
    for number in (*NUMBERS[os.uname().machine], *range(463, 600)):
        result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6)
        if result != -1 or ctypes.get_errno() not in (1, 38):
            print("BREACH: call", number, result, ctypes.get_errno())


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
