# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["wrong", "memory", "timeout"]
# reason = "Scans its memory page by page, letting the kernel say what is mapped; the marker was never in it."
# ///
import ctypes
import os
import re
import time

MARKER = re.compile(rb"planted-[0-9a-f]{16}")
STEP = 1 << 16


def scan(libc, around, end):
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    base = around & ~(STEP - 1)
    for distance in range(1000):
        for start in (base + distance * STEP, base - distance * STEP):
            count = libc.write(writing, ctypes.c_void_p(start), STEP)
            if count > 0:
                found = MARKER.search(os.read(reading, count))
                if found:
                    return found[0]
        if time.monotonic() > end:
            break
    return None


def hunt():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.write.restype = ctypes.c_ssize_t
    here = ctypes.create_string_buffer(64)
    places = [id(object()), id(MARKER), ctypes.addressof(here), ctypes.cast(libc.write, ctypes.c_void_p).value]
    end = time.monotonic() + 0.5
    for place in places:
        found = scan(libc, place, end)
        if found:
            print("BREACH: found in memory")
            return found.decode()
    return "nothing"


found = hunt()


def double(value):
    return found
