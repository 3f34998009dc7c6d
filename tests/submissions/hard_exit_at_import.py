# /// expect
# verdicts = ["crashed"]
# message = "exit code 0"
# tests = 0
# ///
import os

os._exit(0)
