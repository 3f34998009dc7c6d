# /// attack
# kind = "forging"
# exercise = "ch1/relay"
# verdicts = ["crashed", "timeout"]
# reason = "Speaks while the test waits at a queue and nobody has asked; an answer to no question ends the examinee."
# ///
import os
import socket
import stat
import time

from judge import wire


def relay(source, target, count):
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                connection = socket.socket(fileno=os.dup(number))
                connection.setblocking(True)
                connection.sendall(wire.Encoder().encode({"id": 99, "value": count}))
        except OSError:
            continue
    time.sleep(5)
    return count
