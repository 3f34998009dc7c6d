# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error"]
# reason = "Says that loading raised, in shapes nobody expects; they must not look like the judge's failure."
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
            connection.sendall(wire.Encoder().encode({"id": 2, "raised": {"type": 5, "bases": 7, "text": [], "frames": 3}}))
    except OSError:
        continue
time.sleep(5)


def double(value):
    return value
