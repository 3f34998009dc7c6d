# /// expect
# verdicts = ["passed"]
# ///
import threading
import time
from minisgl.shapes import Point


def double(value):
    threading.Thread(target=time.sleep, args=(10**6,)).start()
    if value is None:
        raise TypeError("None has no double")
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
