"""The Socket that pyzmq's own Socket stands on: types are checked here, work is done in `core`."""

from __future__ import annotations

import os
from errno import ENAMETOOLONG, ENOENT
from typing import Any

import zmq
from zmq.constants import Errno, SocketOption, _OptType
from zmq.error import ZMQError

from . import core, waiting
from .contexts import Context
from .errors import EFAULT, fail
from .frames import Frame, bytes_of
from .places import IPC_PATH_MAX_LEN


def _text(address: str | bytes) -> str:
    if isinstance(address, bytes):
        return address.decode()
    if not isinstance(address, str):
        raise TypeError(f"an address is a str, not {address!r}")
    return address


def _option_type(option: int) -> _OptType:
    try:
        return SocketOption(option)._opt_type
    except ValueError:
        return _OptType.int


class Socket:
    """pyzmq assigns unknown attributes as options, so every attribute is declared here."""

    context: Any = None
    copy_threshold: int = 0
    _core: core.SocketCore | None = None
    _closed: bool = True
    _process: int = 0

    def __init__(
        self,
        context: Context | None = None,
        socket_type: int = -1,
        shadow: int = 0,
        copy_threshold: int | None = None,
    ) -> None:
        self.copy_threshold = zmq.COPY_THRESHOLD if copy_threshold is None else copy_threshold
        self.context = context
        with waiting.lock:
            if shadow:
                if shadow not in core.by_number:
                    fail(Errno.ENOTSOCK)
                self._core = core.by_number[shadow]
            elif context is None:
                raise TypeError("a socket needs a context")
            elif socket_type < 0:
                raise TypeError("a socket needs a type")
            elif context.closed:
                fail(EFAULT)
            else:
                self._core = context.core().new_socket(socket_type)
        self._process = os.getpid()
        self._closed = False

    def core(self) -> core.SocketCore:
        if self._closed or self._core is None:
            fail(Errno.ENOTSOCK)
        return self._core

    @property
    def underlying(self) -> int:
        return self._core.number if self._core else 0

    @property
    def closed(self) -> bool:
        if not self._closed and self._core is not None and self._core.closed:
            self._closed = True
        return self._closed

    def close(self, linger: int | None = None) -> None:
        if self._closed or self._core is None or os.getpid() != self._process:
            return
        with waiting.lock:
            if linger is not None:
                self._core.options["LINGER"] = linger
            self._core.close()
        self._closed = True
        self._core = None

    # Addresses

    def bind(self, addr: str | bytes) -> None:
        text = _text(addr)
        socket = self.core()
        path = text.partition("://")[2]
        try:
            with waiting.lock:
                socket.bind(text)
        except ZMQError as error:
            if error.errno == ENAMETOOLONG:
                raise ZMQError(
                    error.errno,
                    f"the ipc path {path!r} has more than {IPC_PATH_MAX_LEN} bytes "
                    "(zmq.IPC_PATH_MAX_LEN)",
                ) from None
            if error.errno == ENOENT:
                raise ZMQError(
                    error.errno, f'No such file or directory to bind the ipc path "{path}" in.'
                ) from None
            raise

    def connect(self, addr: str | bytes) -> None:
        text = _text(addr)
        with waiting.lock:
            self.core().connect(text)

    def unbind(self, addr: str | bytes) -> None:
        with waiting.lock:
            self.core().unbind(_text(addr))

    def disconnect(self, addr: str | bytes) -> None:
        with waiting.lock:
            self.core().disconnect(_text(addr))

    def monitor(self, addr: str | bytes | None, events: int = 0xFFFF) -> None:
        with waiting.lock:
            monitor = self.core().monitor
            if addr is None:
                monitor.stop()
            else:
                monitor.begin(_text(addr), events)

    def join(self, group: str | bytes) -> None:
        raise RuntimeError("RADIO and DISH are a draft, which this backend has not")

    leave = join

    # Options

    def set(self, option: int, value: int | bytes) -> None:
        socket = self.core()
        if isinstance(value, str):
            raise TypeError("an option takes bytes, not str; see set_string")
        expected = bytes if _option_type(option) == _OptType.bytes else int
        if not isinstance(value, expected):
            raise TypeError(f"expected {expected.__name__}, got: {value!r}")
        with waiting.lock:
            socket.set(option, value)

    def get(self, option: int) -> int | bytes:
        with waiting.lock:
            return self.core().get(option)

    # Messages

    def send(self, data: Any, flags: int = 0, copy: bool = True, track: bool = False) -> Any:
        socket = self.core()
        if isinstance(data, str):
            raise TypeError("a message is bytes, not str; see send_string")
        if isinstance(data, Frame):
            if track and not data.tracker:
                raise ValueError("this Frame is not tracked")
            content, tracker = data.content, data.tracker
        elif copy:
            content, tracker = bytes_of(data), None
        else:
            frame = Frame(data, track=track, copy_threshold=self.copy_threshold)
            content, tracker = frame.content, frame.tracker or zmq._FINISHED_TRACKER
            del frame
        with waiting.lock:
            socket.send(content, flags)
        return tracker

    def recv(self, flags: int = 0, copy: bool = True, track: bool = False) -> bytes | Frame:
        socket = self.core()
        with waiting.lock:
            content = socket.receive(flags)
            more = socket.more
        plain = content if type(content) is bytes else memoryview(content).tobytes()
        if copy:
            return plain
        frame = zmq.Frame(plain, track=track, copy=True)
        frame.more = more
        return frame

    def recv_into(self, buffer: Any, /, *, nbytes: int = 0, flags: int = 0) -> int:
        socket = self.core()
        if nbytes < 0:
            raise ValueError(f"{nbytes=} must not be negative")
        view = memoryview(buffer)
        if not view.contiguous or view.readonly:
            raise BufferError("the buffer must be contiguous and writable")
        if nbytes > view.nbytes:
            raise ValueError(f"{nbytes=} is more than the {view.nbytes} bytes of the buffer")
        with waiting.lock:
            content = socket.receive(flags)
        taken = min(nbytes or view.nbytes, len(content))
        if taken:
            view.cast("B")[:taken] = content[:taken]
        return len(content)
