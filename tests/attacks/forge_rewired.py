# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed", "timeout", "passed"]
# reason = "Puts a socket pair of its own in the wire's place and answers itself; the examiner hears nothing or the truth."
# ///
import os
import socket
import stat

from minisgl.shapes import Point

for number in range(3, 64):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            wire = os.dup(number)
            mine, theirs = socket.socketpair()
            os.dup2(theirs.fileno(), number)
            break
    except OSError:
        continue


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
