# /// expect
# verdicts = ["error"]
# message = "SystemExit"
# failed = "all"
# ///
import sys


def double(value):
    sys.exit(0)
