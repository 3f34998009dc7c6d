# /// wrong
# fails = ["test_refuses_none"]
# en = "None passes through; it should be refused."
# zh = "None 被放过了，应当拒绝。"
# ///
from minisgl.shapes import Point


def double(value):
    if value is None:
        return None
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
