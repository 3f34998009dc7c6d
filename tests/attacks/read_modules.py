# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Imports the examiner's side, the tests and the other solutions; none of them is on its disk or in its memory."
# ///
import importlib
import sys

from minisgl.shapes import Point

NAMES = [
    "minisgl.pack", "minisgl.relay", "test_hidden", "test_examples", "solutions.ch1.double",
    "exercises.ch1.double.test_hidden", "reference.solutions.ch1.double", "tests.attacks",
]


def look():
    if any(name.startswith(("judge.examiner", "judge.grade", "judge.catalog")) for name in sys.modules):
        print("BREACH: the judge's other side is loaded")
    sys.path += ["@COURSE@", "@COURSE@/reference", "@COURSE@/exercises/ch1/double", "@PROJECT@"]
    for name in NAMES:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        print("BREACH: imported", name)
    try:
        from pathlib import Path

        from judge.catalog import load_catalog

        print("BREACH: catalogue", load_catalog(Path("@COURSE@")).exercise("ch1/double").solution)
    except Exception:
        pass


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
