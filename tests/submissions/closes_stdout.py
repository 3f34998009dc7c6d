# /// expect
# verdicts = ["passed"]
# ///
import sys
from minisgl.shapes import Point


def double(value):
    sys.stdout.close()
    if value is None:
        raise TypeError("None has no double")
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
