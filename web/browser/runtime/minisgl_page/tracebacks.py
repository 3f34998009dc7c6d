"""Tracebacks as CPython shows them: without the lines of this runtime, which stand for C code there."""

from __future__ import annotations

import sys
import threading
import types

from . import frames
from .errors import Ended


def hide_runtime(error: BaseException | None) -> None:
    """Take this runtime's lines out of the tracebacks of `error` and of what led to it."""
    seen: set[int] = set()
    left = [error]
    while left:
        each = left.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        each.__traceback__ = _shortened(each.__traceback__)
        left += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            left += each.exceptions


def _shortened(trace: types.TracebackType | None) -> types.TracebackType | None:
    kept = []
    while trace is not None:
        if frames.owner(trace.tb_frame) is not frames.Owner.RUNTIME:
            kept.append(trace)
        trace = trace.tb_next
    shortened = None
    for each in reversed(kept):
        shortened = types.TracebackType(shortened, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return shortened


def show(error: BaseException) -> None:
    """Print an error that ended the program, by whatever hook the program has set."""
    hide_runtime(error)
    sys.excepthook(type(error), error, error.__traceback__)


def install() -> None:
    print_error, print_ignored = threading.excepthook, sys.unraisablehook

    def excepthook(arguments: threading.ExceptHookArgs, /) -> None:
        error = arguments.exc_value
        if isinstance(error, Ended):
            return
        hide_runtime(error)
        if error is not None:
            arguments = threading.ExceptHookArgs(
                (type(error), error, error.__traceback__, arguments.thread)
            )
        print_error(arguments)

    def unraisablehook(arguments: sys.UnraisableHookArgs, /) -> None:
        # A thread may be told to end just while it runs a finalizer.
        if not isinstance(arguments.exc_value, Ended):
            hide_runtime(arguments.exc_value)
            print_ignored(arguments)

    threading.excepthook = threading.__excepthook__ = excepthook  # type: ignore[misc]
    sys.unraisablehook = unraisablehook
