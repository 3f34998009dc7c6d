# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed", "output", "timeout"]
# reason = "A thread goes on printing after each reply; what nobody reads fills the pipe and waits."
# ///
import os
import threading

from minisgl.shapes import Point


def chatter():
    while True:
        os.write(2, b"still here\n" * 500)


threading.Thread(target=chatter, daemon=True).start()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
