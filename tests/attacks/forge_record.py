# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Returns dataclasses with names and methods made to look right; of a class only names and fields cross."
# ///
import dataclasses

from minisgl.shapes import Point


def always(self, other):
    return True


def double(value):
    fields = [("x", object), ("y", object)] if isinstance(value, Point) else [("__eq__", object), ("fields", object)]
    space = {"__eq__": always, "__hash__": None}
    try:
        made = dataclasses.make_dataclass("Point", fields, namespace=space, eq=False)
    except (TypeError, ValueError):
        made = dataclasses.make_dataclass("Point", ["fields", "type_name"], namespace=space, eq=False)
    made.__module__, made.__qualname__ = "minisgl.shapes", "Point"
    return made("two", [4])
