# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed", "timeout"]
# reason = "Sends its wire into a socket that nobody reads and ends, so that the wire stays open; it still is its end."
# ///
import os
import socket
import stat


def double(value):
    a, b = socket.socketpair()
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                socket.send_fds(a, [b"x"], [number, a.fileno(), b.fileno()])
        except OSError:
            continue
    os._exit(0)
