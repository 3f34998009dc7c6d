# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error"]
# reason = "Names a line of two thousand digits and one below zero; only a line that can exist is taken over."
# ///
import os
import socket
import stat
import time

from judge import wire

for number in range(3, 64):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            connection = socket.socket(fileno=os.dup(number))
            connection.setblocking(True)
            # The request to load this file is the second one.
            connection.sendall(wire.Encoder().encode({"id": 2, "raised": {"type": "SyntaxError", "syntax": ["double.py", -5, 10**2000, "x" * 1_000_000, "no"], "frames": [["double.py", 10**2000, "f", "y"]]}}))
    except OSError:
        continue
time.sleep(5)


def double(value):
    return value
