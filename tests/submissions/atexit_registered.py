# /// expect
# verdicts = ["wrong"]
# ///
import atexit
import os

atexit.register(os._exit, 0)


def double(value):
    return 0
