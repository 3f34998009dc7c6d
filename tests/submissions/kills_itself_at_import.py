# /// expect
# verdicts = ["crashed"]
# message = "SIGKILL"
# tests = 0
# ///
import os

os.kill(os.getpid(), 9)
