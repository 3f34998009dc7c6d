# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Lists and reads the judge's checkout: of it, only the judge's own code may be readable."
# ///
import os

from minisgl.shapes import Point

PROJECT = "@PROJECT@"


def look():
    for name in ("", "exercises", "reference", "reference/solutions", "tests", "docs", "practice", ".git"):
        try:
            print("BREACH: listed", name, os.listdir(f"{PROJECT}/{name}"))
        except OSError:
            pass
    for name in ("pyproject.toml", "README.md", ".git/config", ".git", "practice/.state.json", "tests/test_attacks.py"):
        try:
            with open(f"{PROJECT}/{name}", "rb") as file:
                print("BREACH: read", name, file.read(100))
        except OSError:
            pass


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
