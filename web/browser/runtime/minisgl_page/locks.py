"""The two locks of `_thread`, on fibers. Everything in `threading` and `queue` is made of them."""

from __future__ import annotations

import sys
from collections import deque
from types import TracebackType

from .scheduler import Fiber, scheduler


class Lock:
    """`_thread.lock`: a released lock goes to who has waited longest."""

    def __init__(self) -> None:
        self._locked = False
        self._waiting: deque[Fiber] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if not self._locked:
            self._locked = True
            return True
        if not blocking or timeout == 0:
            return False
        me = scheduler.current
        self._waiting.append(me)
        mine = False
        try:
            mine = scheduler.park(None if timeout == -1 else timeout, sys._getframe())
            return mine
        finally:
            if not mine:
                if me in self._waiting:
                    self._waiting.remove(me)
                elif me.rung:  # it was handed over, but something was thrown in on the way
                    self.release()

    def release(self) -> None:
        if not self._locked:
            raise RuntimeError("release unlocked lock")
        while self._waiting:
            if scheduler.wake(self._waiting.popleft()):
                return  # handed over: it stays locked
        self._locked = False

    def locked(self) -> bool:
        return self._locked

    acquire_lock, release_lock, locked_lock = acquire, release, locked

    def _at_fork_reinit(self) -> None:
        self._locked = False
        self._waiting.clear()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def __repr__(self) -> str:
        state = "locked" if self._locked else "unlocked"
        return f"<{state} _thread.lock object at {id(self):#x}>"


class RLock:
    """`_thread.RLock`: its owner may take it again."""

    def __init__(self) -> None:
        self._block = Lock()
        self._owner: int | None = None
        self._count = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        me = scheduler.current.ident
        if self._owner == me:
            self._count += 1
            return True
        if not self._block.acquire(blocking, timeout):
            return False
        self._owner, self._count = me, 1
        return True

    def release(self) -> None:
        if self._owner != scheduler.current.ident:
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = None
            self._block.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def __repr__(self) -> str:
        state = "locked" if self._count else "unlocked"
        return (
            f"<{state} _thread.RLock object owner={self._owner or 0} "
            f"count={self._count} at {id(self):#x}>"
        )

    # What `threading.Condition` asks for.

    def _is_owned(self) -> bool:
        return self._owner == scheduler.current.ident

    def _recursion_count(self) -> int:
        return self._count if self._is_owned() else 0

    def _release_save(self) -> tuple[int, int | None]:
        if not self._count:
            raise RuntimeError("cannot release un-acquired lock")
        state = self._count, self._owner
        self._count, self._owner = 0, None
        self._block.release()
        return state

    def _acquire_restore(self, state: tuple[int, int | None]) -> None:
        self._block.acquire()
        self._count, self._owner = state

    def _at_fork_reinit(self) -> None:
        self._block._at_fork_reinit()
        self._owner, self._count = None, 0
