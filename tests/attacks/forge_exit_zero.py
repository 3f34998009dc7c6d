# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed"]
# reason = "Ends the process with exit code 0 in the middle of a test; exit codes count for nothing."
# ///
import os


def double(value):
    print("4 passed in 0.01s", flush=True)
    os._exit(0)
