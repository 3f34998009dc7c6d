# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Reaches around the mounts by file handles and O_PATH descriptors; the calls and the files are refused."
# ///
import ctypes
import os

from minisgl.shapes import Point

# name_to_handle_at, open_by_handle_at, openat2, open_tree, fsopen, statmount, listmount
NUMBERS = {"x86_64": (303, 304, 437, 428, 430, 457, 458), "aarch64": (264, 265, 437, 428, 430, 457, 458)}


def look():
    libc = ctypes.CDLL(None, use_errno=True)
    for number in NUMBERS[os.uname().machine]:
        room = ctypes.create_string_buffer(256)
        result = libc.syscall(ctypes.c_long(number), ctypes.c_long(-100), b"/", room, room, ctypes.c_long(0))
        if result != -1 or ctypes.get_errno() not in (1, 38):
            print("BREACH: call", number, result, ctypes.get_errno())
    for path in ("@COURSE@/exercises/ch1/double", "@PROJECT@", "/"):
        try:
            above = os.open(path, os.O_PATH)
        except OSError:
            continue
        for name in ("test_hidden.py", "exercises", "etc/passwd", "."):
            try:
                descriptor = os.open(name, os.O_RDONLY, dir_fd=above)
            except OSError:
                continue
            print("BREACH: opened", path, name, descriptor)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
