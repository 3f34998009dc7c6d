# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Looks for memory, queues and keys that processes share by name; none of these calls exists here."
# ///
import ctypes
import os

from minisgl.shapes import Point

# shmget, shmat, msgget, semget, mq_open, add_key, request_key, keyctl, memfd_create, memfd_secret
NUMBERS = {
    "x86_64": (29, 30, 68, 64, 240, 248, 249, 250, 319, 447),
    "aarch64": (194, 196, 186, 190, 180, 217, 218, 219, 279, 447),
}


def look():
    libc = ctypes.CDLL(None, use_errno=True)
    for number in NUMBERS[os.uname().machine]:
        result = libc.syscall(
            ctypes.c_long(number), b"name", ctypes.c_long(4096), ctypes.c_long(0o1600), None, None
        )
        if result != -1 or ctypes.get_errno() not in (1, 38):
            print("BREACH: call", number, result, ctypes.get_errno())
    for path in ("/dev/shm", "/dev/mqueue", "/run/shm", "/dev/hugepages"):
        try:
            print("BREACH: listed", path, os.listdir(path))
        except OSError:
            pass


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
