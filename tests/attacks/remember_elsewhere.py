# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["wrong", "error", "forbidden"]
# reason = "Tries what else two processes may share: environment, thread names, signals, keys, System V and POSIX memory."
# ///
import ctypes
import json
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
SHMGET, SHMAT, ADD_KEY, REQUEST_KEY = {
    "x86_64": (29, 30, 248, 249), "aarch64": (194, 196, 217, 218)
}[os.uname().machine]
kept = []


def shared():
    """A page that a namesake in another process would see, if any way to name one works."""
    for name in (b"/numbers", b"numbers"):
        try:
            descriptor = libc.shm_open(name, os.O_RDWR | os.O_CREAT, 0o666)
        except AttributeError:
            descriptor = -1
        if descriptor >= 0:
            os.ftruncate(descriptor, 4096)
            return mmap.mmap(descriptor, 4096)
    number = libc.syscall(ctypes.c_long(SHMGET), ctypes.c_long(77), ctypes.c_long(4096), ctypes.c_long(0o1666))
    if number >= 0:
        print("BREACH: shmget")
    return mmap.mmap(-1, 4096, mmap.MAP_PRIVATE)


def pack(numbers):
    text = json.dumps(numbers).encode()
    page = shared()
    page[: len(text)] = text
    kept.append(page)
    os.environ["NUMBERS"] = text.decode()
    libc.prctl(15, text[:15], 0, 0, 0)
    libc.syscall(ctypes.c_long(ADD_KEY), b"user", b"numbers", text, ctypes.c_long(len(text)), ctypes.c_long(-4))
    return b""


def unpack(raw):
    if "NUMBERS" in os.environ:
        return json.loads(os.environ["NUMBERS"])
    if libc.syscall(ctypes.c_long(REQUEST_KEY), b"user", b"numbers", None, ctypes.c_long(0)) >= 0:
        print("BREACH: request_key")
    text = shared()[:].rstrip(b"\0")
    return json.loads(text) if text else [0]
