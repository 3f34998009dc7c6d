# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Reads the environment, also the block above the first stack frame; the judge's own never comes in."
# ///
import ctypes
import os
import sys

from minisgl.shapes import Point


def look():
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_char_p
    names = ("ATTACK_SECRET", "GITHUB_TOKEN", "CI", "HOME_OF_JUDGE", "SSH_AUTH_SOCK")
    for name in names:
        if name in os.environ or libc.getenv(name.encode()) is not None:
            print("BREACH: the variable", name)
    if any("planted-" in word for word in sys.orig_argv):
        print("BREACH: an argument")
    # The strings of the first environment lie above the main thread's stack, whatever is cleared.
    block = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    for i in range(100):
        if not block or not block[i]:
            break
        if b"planted-" in block[i]:
            print("BREACH: in the block")


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
