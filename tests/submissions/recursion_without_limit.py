# /// expect
# verdicts = ["crashed", "timeout", "memory"]
# failed = "all"
# ///
import sys

sys.setrecursionlimit(10**9)


def double(value):
    return double(value) + double(value)
