# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Tries every call that makes a process, by number, with and without the flags of a thread."
# ///
import ctypes
import os

from minisgl.shapes import Point

libc = ctypes.CDLL(None, use_errno=True)
# fork, vfork (only there), clone, clone3
NUMBERS = {"x86_64": (57, 58, 56, 435), "aarch64": (220, 435)}
SIGCHLD, PARENT, NEW_PIDS, NEW_USERS, VFORK, VM = 17, 0x8000, 0x20000000, 0x10000000, 0x4000, 0x100


def look():
    for number in NUMBERS[os.uname().machine]:
        for flags in (SIGCHLD, SIGCHLD | PARENT, SIGCHLD | NEW_PIDS | NEW_USERS, SIGCHLD | VFORK, 0, 1 << 33):
            arguments = ctypes.create_string_buffer(88)
            ctypes.memmove(arguments, flags.to_bytes(8, "little"), 8)
            first = arguments if number == 435 else ctypes.c_long(flags)
            child = libc.syscall(ctypes.c_long(number), first, ctypes.c_long(88 if number == 435 else 0), None, None, None)
            if child == 0:
                os._exit(0)
            if child > 0 or ctypes.get_errno() not in (1, 38):
                print("BREACH: call", number, hex(flags), child, ctypes.get_errno())


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
