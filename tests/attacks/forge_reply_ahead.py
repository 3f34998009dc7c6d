# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed", "wrong", "timeout"]
# reason = "Writes replies to requests that have not come yet; they say no more than a reply in time could."
# ///
import os
import socket
import stat

from judge import wire


def wire_of_judge():
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                return socket.socket(fileno=os.dup(number))
        except OSError:
            continue


connection = wire_of_judge()


def double(value):
    for number in range(1, 40):
        connection.sendall(wire.Encoder().encode({"id": number, "value": True}))
    return value * 2
