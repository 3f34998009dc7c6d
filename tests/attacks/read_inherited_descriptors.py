# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Looks for descriptors left open by whoever forked it; there are its own three streams, wire and trace."
# ///
import os
import stat

from minisgl.shapes import Point


def look():
    sockets = pipes = 0
    for number in range(4096):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        sockets += stat.S_ISSOCK(mode)
        pipes += stat.S_ISFIFO(mode)
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISBLK(mode):
            print("BREACH: descriptor", number, oct(mode))
            try:
                print("BREACH: escapes by it", os.listdir(number))
            except OSError:
                pass
    if sockets != 1 or pipes != 3:
        print("BREACH: descriptors", sockets, pipes)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
