# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error", "crashed", "timeout"]
# reason = "Raises exceptions whose text, type name and traceback misbehave while they are described."
# ///
import sys


class Meta(type):
    @property
    def __name__(cls):
        raise KeyboardInterrupt

    def mro(cls):
        return [cls, Exception, BaseException, object]


class Angry(Exception, metaclass=Meta):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


def deep(n):
    if n:
        deep(n - 1)
    raise Angry("\ud800" * 10_000_000)


def double(value):
    sys.setrecursionlimit(10_000)
    if value == 4:
        raise ValueError("\ud800" + "y" * 10_000_000)
    deep(2000)
