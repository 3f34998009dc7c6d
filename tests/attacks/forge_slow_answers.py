# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["timeout"]
# reason = "Takes almost a test's time for each answer, and for loading; the submission's time ends it."
# ///
import time

from minisgl.shapes import Point

time.sleep(0.7)


def double(value):
    time.sleep(0.7)
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
