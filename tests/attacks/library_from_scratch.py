# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Copies a shared library to where it may write and loads it; nothing there may be executed."
# ///
import ctypes
import glob
import os
import tempfile

import numpy
from minisgl.shapes import Point


def look():
    libraries = glob.glob(f"{os.path.dirname(numpy.__file__)}/*/*.so")
    library = min(libraries, key=os.path.getsize)
    with open(library, "rb") as file:
        content = file.read()
    for folder in (os.getcwd(), tempfile.gettempdir(), "/scratch", "/tmp", "/dev/shm"):
        path = f"{folder}/library.so"
        try:
            with open(path, "wb") as file:
                file.write(content)
            ctypes.CDLL(path)
        except OSError:
            continue
        print("BREACH: loaded", path)


try:
    look()
except OSError:
    pass


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
