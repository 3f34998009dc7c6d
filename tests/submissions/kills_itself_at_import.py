# /// expect
# verdicts = ["crashed", "error"]
# tests = 0
# ///
import os

os.kill(os.getpid(), 9)
