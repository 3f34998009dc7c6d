# /// expect
# verdicts = ["passed"]
# ///
import os
from minisgl.shapes import Point


def double(value):
    for number in (0, 1, 2):
        try:
            os.close(number)
        except OSError:
            pass
    if value is None:
        raise TypeError("None has no double")
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
