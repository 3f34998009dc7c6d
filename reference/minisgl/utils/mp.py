"""Queues between processes: objects in, objects out; msgpack bytes on a ZMQ socket in between.

PUSH/PULL hands each message to exactly one receiver, PUB/SUB to every subscriber. One side of an
address binds (`create=True`), all others connect. A queue belongs to the thread that uses it,
as a ZMQ socket does.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
import sys
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

import msgpack
import zmq
import zmq.asyncio

T = TypeVar("T")

# The bytes of a path that fit in the kernel's socket address (`sun_path`, without its final zero).
IPC_PATH_LIMIT = 103 if sys.platform == "darwin" else 107


class _Queue:
    """A socket on a context of its own, and its end."""

    _kind: ClassVar[int]
    _options: ClassVar[Mapping[int, int | bytes]] = {}
    _context_type: ClassVar[type[zmq.Context]] = zmq.Context

    def __init__(self, addr: str, create: bool) -> None:
        """Bind or connect to `addr`.

        Errors: ValueError for a path that is too long. With `create`, FileNotFoundError for a
        folder that is missing, FileExistsError for a file that is no socket, OSError (EADDRINUSE)
        for an address where somebody listens. zmq.ZMQError for what ZMQ itself refuses.
        """
        _check_ipc_address(addr, create)
        # A context per queue: ending a context waits until all of its sockets are closed, so on a
        # shared one a single forgotten queue would make every other queue's `stop` hang.
        context = self._context_type()
        self._socket: Any = context.socket(self._kind)
        # The finalizer holds both, so Python cannot collect them without it. Left to themselves in a
        # reference cycle they can hang the process: a context closes the sockets that it still knows
        # when it is collected, but Python empties its WeakSet of them first.
        self._end = weakref.finalize(self, _end, context, self._socket)
        # Not at the program's end: there another thread may still use the socket, and nothing waits.
        self._end.atexit = False
        # ZMQ's default is to keep unsent messages for ever: a queue that nobody stopped would
        # then hang the whole process at its exit.
        self._socket.linger = 0
        try:
            for option, value in self._options.items():
                self._socket.setsockopt(option, value)
            if create:
                self._socket.bind(addr)
            else:
                self._socket.connect(addr)
        except zmq.ZMQError:
            self.stop()
            raise

    def stop(self, flush_seconds: float = 0.0) -> None:
        """Close the queue. Dropped are received messages that nobody took, and all unsent ones.

        A message is unsent until ZMQ's own thread has written it to the peer's socket, which is
        shortly after `put` returned, or never, if no peer is there. `flush_seconds` waits so long
        for that, at most, and drops what is left then. Stopping twice does no harm.
        """
        self._socket.close(linger=max(0, round(flush_seconds * 1000)))
        self._end()


def _end(context: zmq.Context, own_socket: zmq.Socket) -> None:
    """End a queue, which has been stopped or collected."""
    own_socket.close()
    context.term()


class _Sender(_Queue, Generic[T]):
    def __init__(self, addr: str, create: bool, encoder: Callable[[T], dict[str, Any]]) -> None:
        super().__init__(addr, create)
        self._encoder = encoder

    def _pack(self, obj: T) -> bytes:
        return msgpack.packb(self._encoder(obj), use_bin_type=True)


class _Receiver(_Queue, Generic[T]):
    def __init__(self, addr: str, create: bool, decoder: Callable[[dict[str, Any]], T]) -> None:
        super().__init__(addr, create)
        self._decoder = decoder

    def decode(self, raw: bytes) -> T:
        """The object in `raw`; ValueError for bytes that are not exactly one msgpack value."""
        try:
            # Keys may be any primitive, as in `{1: "a"}`; msgpack's own default is str and bytes.
            data = msgpack.unpackb(raw, raw=False, strict_map_key=False)
        except (ValueError, TypeError) as error:  # TypeError: a key that cannot be hashed
            reason = str(error) or type(error).__name__
            raise ValueError(f"{len(raw)} bytes are no msgpack message: {reason}") from error
        return self._decoder(data)


class ZmqPushQueue(_Sender[T]):
    """Sends each message to one PULL queue."""

    _kind = zmq.PUSH

    def put(self, obj: T) -> None:
        """Send `obj`. Waits while no peer is there to take it (bound), or too many are unsent."""
        self._socket.send(self._pack(obj))


class ZmqAsyncPushQueue(_Sender[T]):
    """A PUSH queue for an event loop: other tasks run in every `put`, and as long as it waits."""

    _kind = zmq.PUSH
    _context_type = zmq.asyncio.Context

    async def put(self, obj: T) -> None:
        """Send `obj`. Waits while no peer is there to take it (bound), or too many are unsent."""
        await self._socket.send(self._pack(obj))
        # To await what is finished already does not pause: a task that puts message after message
        # would keep all others from running.
        await asyncio.sleep(0)


class ZmqPullQueue(_Receiver[T]):
    """Receives what PUSH queues send."""

    _kind = zmq.PULL

    def get(self) -> T:
        """Wait for the next message and decode it."""
        return self.decode(self.get_raw())

    def get_raw(self) -> bytes:
        """Wait for the next message and return its bytes, to forward or to `decode`."""
        return self._socket.recv()

    def empty(self) -> bool:
        """Whether no message has arrived yet. Does not wait."""
        return self._socket.poll(timeout=0) == 0


class ZmqAsyncPullQueue(_Receiver[T]):
    """A PULL queue for an event loop: other tasks run in every `get`, and as long as it waits."""

    _kind = zmq.PULL
    _context_type = zmq.asyncio.Context

    def __init__(self, addr: str, create: bool, decoder: Callable[[dict[str, Any]], T]) -> None:
        super().__init__(addr, create, decoder)
        self._turn = asyncio.Lock()

    async def get(self) -> T:
        """Wait for the next message and decode it. A `get` that is cancelled has taken none."""
        # One task at a time looks at the socket, so a message that it sees is still there to take.
        async with self._turn:
            # Every pause comes before the message is taken: a task that is cancelled in a pause
            # with a message in its hand throws it away, as in `await recv()`.
            await self._socket.poll()
            await asyncio.sleep(0)  # as in `put` above
            raw = await self._socket.recv(zmq.NOBLOCK)
        return self.decode(raw)


class ZmqPubQueue(_Sender[T]):
    """Sends each message to every SUB queue that has subscribed by then.

    A subscription takes a moment to arrive, and what is published before is lost without a word.
    So this is an XPUB socket, which receives the subscriptions, to wait for them. XPUB_VERBOSE
    lets all of them through; without it, an equal one from a second subscriber is swallowed.
    """

    _kind = zmq.XPUB
    # A full XPUB drops messages, and a rank that misses one is out of step for ever: no limit.
    _options: ClassVar = {zmq.XPUB_VERBOSE: 1, zmq.SNDHWM: 0}

    _subscribed = 0

    def put(self, obj: T) -> None:
        self.put_raw(self._pack(obj))

    def put_raw(self, raw: bytes) -> None:
        """Publish bytes as they are, without encoding them again."""
        self._socket.send(raw)

    def wait_for_subscribers(self, n: int, timeout: float | None = None) -> None:
        """Wait until `n` subscriptions have arrived since the queue was made.

        A subscriber that left still counts. TimeoutError after `timeout` seconds; None waits on.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._subscribed < n:
            left = None if deadline is None else max(0, deadline - time.monotonic()) * 1000
            if not self._socket.poll(timeout=left):
                raise TimeoutError(f"{self._subscribed} of {n} subscribers after {timeout} seconds")
            # b"\x01" and the topic subscribes, b"\x00" and the topic unsubscribes.
            self._subscribed += self._socket.recv().startswith(b"\x01")


class ZmqSubQueue(_Receiver[T]):
    """Receives everything that a PUB queue publishes.

    It should connect. One that binds announces its subscription only while it is in `get` or
    `empty`, because there ZMQ takes note of who has connected.
    """

    _kind = zmq.SUB
    _options: ClassVar = {zmq.SUBSCRIBE: b""}

    def get(self) -> T:
        """Wait for the next message and decode it."""
        return self.decode(self.get_raw())

    def get_raw(self) -> bytes:
        """Wait for the next message and return its bytes, to keep, compare or `decode`."""
        return self._socket.recv()

    def empty(self) -> bool:
        """Whether no message has arrived yet. Does not wait."""
        return self._socket.poll(timeout=0) == 0


def _check_ipc_address(addr: str, create: bool) -> None:
    """Refuse what ZMQ would report badly, or not at all. Other transports pass."""
    if not addr.startswith("ipc://"):
        return
    path = addr.removeprefix("ipc://")
    length = len(os.fsencode(path))
    if length > IPC_PATH_LIMIT:
        raise ValueError(
            f"the ipc path {path} has {length} bytes, the system's limit is {IPC_PATH_LIMIT}"
        )
    if not create:
        return
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, f"no folder to bind {addr} in", folder)
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    # ZMQ removes whatever has the name before it binds: a file of the user's, or the socket of a
    # living queue, which would never hear of its messages again.
    if not stat.S_ISSOCK(mode):
        raise FileExistsError(errno.EEXIST, "ZMQ would delete this file, which is no socket", path)
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            probe.connect(path)
        except (ConnectionRefusedError, FileNotFoundError):
            return  # left behind by a killed process: ZMQ may have it
        except BlockingIOError:
            pass  # too many callers already: it lives
    raise OSError(errno.EADDRINUSE, "another queue is bound here", path)
