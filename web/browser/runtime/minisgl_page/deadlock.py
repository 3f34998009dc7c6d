"""When every thread waits for another: found at once, and told line by line."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

from . import frames
from .errors import Deadlock
from .scheduler import Fiber, Scheduler


def watch(scheduler: Scheduler) -> None:
    """From now on raise Deadlock in the main thread when nothing can go on."""
    scheduler.look_for_deadlock = lambda: _look(scheduler)


def _look(scheduler: Scheduler) -> None:
    main = scheduler.main
    if main is None or not main.stuck or scheduler.timers.wakers:
        return
    if all(fiber.stuck for fiber in scheduler.fibers.values()):
        scheduler.throw(main, describe(scheduler))


def describe(scheduler: Scheduler) -> Deadlock:
    lines = [f"  {text}" for fiber in scheduler.fibers.values() for text in _waits(fiber)]
    where = "\n".join(lines)
    return Deadlock(
        f"deadlock: every thread waits, and none can wake another.\n{where}",
        f"死锁：所有线程都在等待，谁也无法唤醒谁。\n{where}",
    )


def _waits(fiber: Fiber) -> Iterator[str]:
    thread = threading._active.get(fiber.ident)  # type: ignore[attr-defined]
    name = thread.name if thread is not None else f"thread {fiber.ident}"
    tasks = [] if fiber.loop is None else list(_tasks(fiber.loop))
    if tasks:
        yield from (f"{name}, {task}" for task in sorted(tasks))
        return
    place = fiber.place
    if place is not None and place.call:
        yield f"{name}: {place.call}" + (f", {frames.line(place.frame)}" if place.frame else "")


def _tasks(loop: asyncio.AbstractEventLoop) -> Iterator[str]:
    for task in asyncio.all_tasks(loop):
        frame = frames.awaiting(task.get_coro())
        if frame is not None:
            yield f"{task.get_name()}: await, {frames.line(frame)}"
