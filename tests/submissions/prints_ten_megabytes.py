# /// expect
# verdicts = ["passed"]
# truncated = true
# ///
from minisgl.shapes import Point


def double(value):
    print('x' * 10_000_000)
    if value is None:
        raise TypeError("None has no double")
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
