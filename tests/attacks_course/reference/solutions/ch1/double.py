from minisgl.shapes import Point

SECRET = "PLANTED-MARKER"


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
