"""`_thread` and `threading` on fibers; `time.sleep`; what happens to threads when a program ends."""

from __future__ import annotations

import _thread
import _threading_local
import contextlib
import contextvars
import itertools
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from .locks import Lock, RLock
from .scheduler import scheduler

MAIN_IDENT = _thread.get_ident()  # of the one thread that there really is

_sentinels: dict[int, Lock] = {}  # released when the thread of that number has ended


def install() -> None:
    """Replace the names of `_thread`, and those that `threading` took from there."""
    replaced: dict[Any, dict[str, Any]] = {
        _thread: {
            "LockType": Lock,
            "RLock": RLock,
            "allocate": Lock,
            "allocate_lock": Lock,
            "get_ident": get_ident,
            "get_native_id": get_ident,
            "interrupt_main": interrupt_main,
            "start_new": start_new_thread,
            "start_new_thread": start_new_thread,
            "_set_sentinel": _set_sentinel,
        },
        threading: {
            "Lock": Lock,
            "_CRLock": RLock,
            "_RLock": RLock,
            "_active_limbo_lock": RLock(),
            "_allocate_lock": Lock,
            "_set_sentinel": _set_sentinel,
            "_shutdown_locks_lock": Lock(),
            "_start_new_thread": start_new_thread,
            "get_ident": get_ident,
            "get_native_id": get_ident,
            "local": _threading_local.local,
        },
        queue: {"SimpleQueue": queue._PySimpleQueue},  # type: ignore[attr-defined]
        time: {"sleep": sleep},
    }
    for module, names in replaced.items():
        for name, value in names.items():
            setattr(module, name, value)
    _threading_local.RLock = RLock  # type: ignore[attr-defined]


def get_ident() -> int:
    return scheduler.current.ident or MAIN_IDENT


def sleep(seconds: float, /) -> None:
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if seconds:
        scheduler.park(float(seconds), sys._getframe())
    else:
        scheduler.give_way()


def start_new_thread(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    /,
) -> int:
    def body() -> None:
        ident = scheduler.current.ident
        try:
            contextvars.Context().run(function, *args, **(kwargs or {}))
        except SystemExit:
            pass
        except BaseException as error:
            sys.unraisablehook(
                _Unraisable(error, "Exception ignored in thread started by", function)
            )
        finally:
            sentinel = _sentinels.pop(ident, None)
            if sentinel is not None and sentinel.locked():
                sentinel.release()

    return scheduler.start(body).ident


class _Unraisable:
    """What `sys.unraisablehook` is told."""

    def __init__(self, error: BaseException, message: str, source: object) -> None:
        self.exc_type, self.exc_value = type(error), error
        self.exc_traceback = error.__traceback__
        self.err_msg, self.object = message, source


def _set_sentinel() -> Lock:
    sentinel = _sentinels[scheduler.current.ident] = Lock()
    return sentinel


def interrupt_main(signum: int = 2, /) -> None:
    if scheduler.main is not None:
        scheduler.throw(scheduler.main, KeyboardInterrupt())


# One program's threads


def begin_main() -> None:
    """Call this in the main thread's fiber, first. Threads are numbered from 1 again."""
    main = threading.main_thread()
    threading._active.clear()  # type: ignore[attr-defined]
    threading._limbo.clear()  # type: ignore[attr-defined]
    threading._shutdown_locks.clear()  # type: ignore[attr-defined]
    threading._active[MAIN_IDENT] = main  # type: ignore[attr-defined]
    threading._counter = itertools.count(1).__next__  # type: ignore[attr-defined]
    threading._dangling.clear()  # type: ignore[attr-defined]
    threading._dangling.add(main)  # type: ignore[attr-defined]
    main._ident = main._native_id = MAIN_IDENT  # type: ignore[attr-defined]
    main._is_stopped = False  # type: ignore[attr-defined]
    main._started = threading.Event()  # type: ignore[attr-defined]
    main._started.set()  # type: ignore[attr-defined]
    main.name = "MainThread"
    main._tstate_lock = Lock()  # type: ignore[attr-defined]
    main._tstate_lock.acquire()  # type: ignore[attr-defined]


def finish_main() -> None:
    """What Python does when the main thread has ended: pools are shut down, threads joined."""
    for shut_down in reversed(threading._threading_atexits):  # type: ignore[attr-defined]
        shut_down()
    me = threading.current_thread()
    # A join that was broken off has taken its thread for ended, though it still stands in the list.
    while left := [
        t for t in threading.enumerate() if t is not me and not t.daemon and t.is_alive()
    ]:
        left[0].join()


def forget() -> None:
    """Call this when no fiber is left: nothing of a program's threads stays."""
    _sentinels.clear()
    pools = sys.modules.get("concurrent.futures.thread")
    if pools is not None:  # `finish_main` has told it that Python ends
        vars(pools)["_shutdown"] = False
        vars(pools)["_threads_queues"].clear()
        with contextlib.suppress(RuntimeError):
            vars(pools)["_global_shutdown_lock"].release()
