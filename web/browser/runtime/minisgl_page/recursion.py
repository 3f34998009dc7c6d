"""How deep functions may call each other in a page: only as deep as the page can still end them.

Where a Python function calls another, Python 3.12 does not ask whether a tick has come; it asks in
loops and after most calls of C functions. So neither Stop nor a time limit reaches code that only
recurses, until it has filled the memory, which takes half a minute. And where ticks do come, each looks
through the whole stack (see `preemption`). Both are harmless if the stack has a bound.
"""

from __future__ import annotations

import sys

# Frames. Ten times Python's default, and a tick looks through them in less time than lies between two.
MOST = 10_000

_set_limit = sys.setrecursionlimit


def install() -> None:
    """Set the bound for whoever asks `sys` for another limit."""
    sys.setrecursionlimit = setrecursionlimit


def setrecursionlimit(limit: int, /) -> None:
    """As Python's own, but a web page bears no limit above 10,000: a higher one becomes that.

    `sys.getrecursionlimit` tells what it became. Raises what Python's own raises.
    """
    _set_limit(limit)
    if sys.getrecursionlimit() > MOST:
        _set_limit(MOST)
