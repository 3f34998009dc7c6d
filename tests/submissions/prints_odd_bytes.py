# /// expect
# verdicts = ["passed"]
# output = '\\xff\\xfe odd'
# ///
import os
from minisgl.shapes import Point


def double(value):
    os.write(1, b'\xff\xfe odd \x00 bytes')
    if value is None:
        raise TypeError("None has no double")
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
