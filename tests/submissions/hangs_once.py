# /// expect
# verdicts = ["timeout"]
# message = 'A large number is doubled.*stood at line'
# failed = ["test_secret_number"]
# ///
from minisgl.shapes import Point


def double(value):
    while isinstance(value, int) and value == 123456789:
        pass
    if value is None:
        raise TypeError("None has no double")
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
