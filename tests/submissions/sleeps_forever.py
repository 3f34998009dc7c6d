# /// expect
# verdicts = ["timeout"]
# message = 'stood at line'
# failed = "all"
# line = 'time.sleep(10**6)'
# ///
import time


def double(value):
    time.sleep(10**6)
