# /// expect
# verdicts = ["error"]
# message = "Did you mean `doubel`"
# tests = 0
# ///
from minisgl.shapes import Point


def doubel(value):
    if value is None:
        raise TypeError("None has no double")
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
