# /// expect
# verdicts = ["crashed"]
# message = "exit code 0"
# failed = "all"
# ///
import os


def double(value):
    os._exit(0)
