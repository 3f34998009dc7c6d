# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error"]
# reason = "Puts halves of characters into its texts, which no JSON may hold; they are escaped."
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
            connection.sendall(wire.Encoder().encode({"id": 2, "raised": {"type": "\ud800X", "bases": ["\udfff"], "text": "\ud800" * 100, "frames": [["double.py", 1, "f", "\ud800"]]}}))
    except OSError:
        continue
time.sleep(5)


def double(value):
    return value
