# /// expect
# verdicts = ["error"]
# message = "SystemExit"
# tests = 0
# ///
import sys

sys.exit(0)
