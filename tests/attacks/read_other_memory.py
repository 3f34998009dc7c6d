# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Reads the zygote's and the judge's memory by process_vm_readv, ptrace and pidfd_getfd; all are refused."
# ///
import ctypes
import os

from minisgl.shapes import Point

# process_vm_readv, process_vm_writev, ptrace, kcmp, pidfd_open, process_madvise: x86-64 and arm64.
NUMBERS = {"x86_64": (310, 311, 101, 312, 434, 440), "aarch64": (270, 271, 117, 272, 434, 440)}


def look():
    libc = ctypes.CDLL(None, use_errno=True)
    room = ctypes.create_string_buffer(1024)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(room), 1024)
    for target in {os.getppid(), 1, os.getpid() - 1, os.getpid() + 1}:
        for number in NUMBERS[os.uname().machine]:
            result = libc.syscall(
                ctypes.c_long(number), ctypes.c_long(target), vector, ctypes.c_long(1), vector,
                ctypes.c_long(1), ctypes.c_long(0),
            )
            if result != -1 or ctypes.get_errno() != 1:
                print("BREACH: call", number, "on", target, result, ctypes.get_errno())
        # ptrace(PTRACE_SEIZE)
        number = NUMBERS[os.uname().machine][2]
        if libc.syscall(ctypes.c_long(number), ctypes.c_long(0x4206), ctypes.c_long(target), None, None) != -1:
            print("BREACH: seized", target)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
