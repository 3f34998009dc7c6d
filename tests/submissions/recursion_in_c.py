# /// expect
# verdicts = ["crashed", "timeout", "memory", "error"]
# failed = "all"
# ///
import sys

sys.setrecursionlimit(10**9)


class Deep:
    def __repr__(self):
        return repr([self])


def double(value):
    return repr(Deep())
