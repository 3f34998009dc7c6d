# /// expect
# verdicts = ["crashed"]
# failed = "all"
# ///
import os


def double(value):
    os.closerange(3, 256)
    return value * 2
