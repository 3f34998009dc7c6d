"""Whose a line is: the learner's, a library's, or this runtime's own.

Decided by the module that a frame belongs to, not by its code's file name, which a byte-compiled
wheel states without its folder.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterator
from enum import Enum
from types import CodeType, CoroutineType, FrameType
from typing import Any

_RUNTIME = frozenset({"minisgl_page", "minisgl_page_zmq"})
_GRADER = frozenset({"judge", "_pytest", "pytest", "pluggy"})
FIBERS_BEGINNING = "Scheduler._start.<locals>.run"
_INSTALLED = "/lib/"  # Pyodide's standard library and every wheel


class Owner(Enum):
    LEARNER = "learner"
    LIBRARY = "library"
    GRADER = "grader"
    RUNTIME = "runtime"


_IMPORT = "_find_and_load"  # the outermost function of an import that really loads something
# Where a thread begins, before anything that its program asked for.
_BELOW_ALL = frozenset({"Thread.run", "start_new_thread.<locals>.body", FIBERS_BEGINNING})


# Codes that were asked for, with their owners. Kept alive, so that no other code gets their ids.
_known: dict[int, tuple[CodeType, Owner]] = {}


def forget() -> None:
    """Keep no code of a program's alive."""
    _known.clear()


def owner(frame: FrameType) -> Owner:
    code = frame.f_code
    known = _known.get(id(code))
    if known is None:
        known = _known[id(code)] = code, _owner(frame)
    return known[1]


def _owner(frame: FrameType) -> Owner:
    names = frame.f_globals
    root = str(names.get("__name__", "")).partition(".")[0]
    if root in _RUNTIME:
        return Owner.RUNTIME
    file = names.get("__file__")
    if isinstance(file, str) and file.startswith(_INSTALLED):
        return Owner.GRADER if root in _GRADER else Owner.LIBRARY
    if frame.f_code.co_filename.startswith("<frozen"):
        return Owner.LIBRARY
    return Owner.LEARNER


def outward(frame: FrameType | None) -> Iterator[FrameType]:
    """`frame`, its caller, and so on, up to where its fiber begins.

    Only for the running fiber: the links between frames lead over its stack, which lies elsewhere
    while it is aside. What is further out belongs to whatever ran when the fiber began.
    """
    while frame is not None:
        yield frame
        frame = None if frame.f_code.co_qualname == FIBERS_BEGINNING else frame.f_back


class Place:
    """Where a fiber waits; made by itself, before it steps aside."""

    __slots__ = ("by_learner", "call", "frame", "importing")

    def __init__(self, frame: FrameType | None) -> None:
        self.call = ""  # the function that the learner's line called, such as `Queue.get`
        self.by_learner = False  # with no code of a grader's in between
        self.frame: FrameType | None = None  # the learner's innermost one
        self.importing = False  # an installed module; half imported it would be of no use
        graded = False
        entered = Owner.RUNTIME  # the innermost frames are this runtime's locks
        for each in outward(frame):
            whose, name = owner(each), each.f_code.co_qualname
            if whose is Owner.LEARNER:
                self.frame, self.by_learner = each, not graded
                break
            self.importing = self.importing or name == _IMPORT
            graded = graded or whose is Owner.GRADER
            if name in _BELOW_ALL or (whose is Owner.RUNTIME and whose is not entered):
                break  # here the thread begins
            self.call, entered = name, whose


def line(frame: FrameType) -> str:
    """`file, line 3: the line itself`, as a learner reads it."""
    code = frame.f_code
    text = linecache.getline(code.co_filename, frame.f_lineno, frame.f_globals).strip()
    where = f"{os.path.basename(code.co_filename)}, line {frame.f_lineno}"
    return f"{where}: {text}" if text else where


def awaiting(coroutine: Any) -> FrameType | None:
    """The learner's innermost frame of a coroutine that waits, or else its outermost one."""
    first = found = None
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if frame is not None:
            first = first or frame
            if owner(frame) is Owner.LEARNER:
                found = frame
        if not isinstance(coroutine, CoroutineType) and not hasattr(coroutine, "gi_yieldfrom"):
            break
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return found or first
