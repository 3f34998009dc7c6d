# /// expect
# verdicts = ["crashed"]
# message = "exit code 0"
# failed = "all"
# ///
import atexit
import os
import sys

atexit.register(os._exit, 0)


def double(value):
    atexit._run_exitfuncs()
