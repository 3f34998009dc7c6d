# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Opens the hidden tests and the reference solution by their paths; the walls do not show them."
# ///
import os

from minisgl.shapes import Point

COURSE = "@COURSE@"
FILES = [
    "exercises/ch1/double/test_hidden.py",
    "exercises/ch1/double/test_examples.py",
    "reference/solutions/ch1/double.py",
    "reference/minisgl/shapes.py",
]


def look():
    for file in FILES:
        for root in (COURSE, f"/proc/1/root{COURSE}", f"/proc/self/cwd/../../../..{COURSE}"):
            for flags in (os.O_RDONLY, os.O_RDWR, os.O_RDONLY | os.O_NOFOLLOW):
                try:
                    descriptor = os.open(f"{root}/{file}", flags)
                except OSError:
                    continue
                print("BREACH: read", file, os.read(descriptor, 10_000))


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
