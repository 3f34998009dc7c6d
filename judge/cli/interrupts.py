"""Ctrl-C and the signals that ask a program to end: when they may act, and what is said then."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

from judge.texts import Text

STOPPED = Text("stopped", "已停止")
ENDING = (signal.SIGTERM, signal.SIGHUP)


class Terminated(BaseException):
    """Somebody asked this process to end, with a signal other than Ctrl-C's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number


def _raise_terminated(number: int, _: object) -> None:
    raise Terminated(number)


@contextlib.contextmanager
def terminations_raise() -> Iterator[None]:
    """Have SIGTERM and SIGHUP raise, so that what the judge started ends as after Ctrl-C."""
    changed = {}
    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            # Under nohup SIGHUP is ignored, and shall stay so.
            if signal.getsignal(number) is signal.SIG_DFL:
                changed[number] = signal.signal(number, _raise_terminated)
    try:
        yield
    finally:
        for number, before in changed.items():
            signal.signal(number, before)


@contextlib.contextmanager
def no_interrupts() -> Iterator[None]:
    """Put off Ctrl-C and other requests to end until the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    before = {}
    for number in (signal.SIGINT, *ENDING):
        # What is ignored, as under nohup, stays ignored.
        if signal.getsignal(number) in (signal.default_int_handler, _raise_terminated):
            before[number] = signal.signal(number, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in waiting[:1]:
            signal.raise_signal(number)
