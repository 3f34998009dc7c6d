# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Returns objects that say they equal everything; objects do not cross, and subclasses do not either."
# ///


class Number(int):
    __eq__ = __le__ = __ge__ = lambda self, other: True  # noqa: E731
    __ne__ = __lt__ = __gt__ = lambda self, other: False  # noqa: E731
    __hash__ = int.__hash__
    __class__ = int


class Text(str):
    __eq__ = lambda self, other: True  # noqa: E731
    __ne__ = lambda self, other: False  # noqa: E731
    __hash__ = str.__hash__


def double(value):
    return Text("x") if isinstance(value, str) else Number(0)
