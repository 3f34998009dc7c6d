"""Errors and the small facts that pyzmq asks a backend for."""

from __future__ import annotations

import os
import sys
from errno import (
    EADDRINUSE,
    EADDRNOTAVAIL,
    EAGAIN,
    EFAULT,
    EHOSTUNREACH,
    EINTR,
    EINVAL,
    EMFILE,
    ENAMETOOLONG,
    ENOTSOCK,
    ENOTSUP,
)
from typing import NoReturn

from zmq.constants import Errno
from zmq.error import Again, ContextTerminated, ZMQError

# libzmq's own words: for its own numbers, and for one of the system's.
_TEXTS: dict[int, str] = {
    Errno.EFSM: "Operation cannot be accomplished in current state",
    Errno.ENOCOMPATPROTO: "The protocol is not compatible with the socket type",
    Errno.ETERM: "Context was terminated",
    Errno.EMTHREAD: "No thread available",
    EHOSTUNREACH: "Host unreachable",
}

if sys.platform == "emscripten":
    # A page's C library has words of its own; programs print those of Linux. Its numbers stay, as
    # they are those of the module `errno` there.
    _TEXTS |= {
        EADDRINUSE: "Address already in use",
        EADDRNOTAVAIL: "Cannot assign requested address",
        EMFILE: "Too many open files",
        ENAMETOOLONG: "File name too long",
        ENOTSOCK: "Socket operation on non-socket",
        ENOTSUP: "Operation not supported",
    }

_last = 0


def fail(number: int, message: str | None = None) -> NoReturn:
    """Raise what pyzmq raises for `number`, and remember it for `zmq_errno`."""
    global _last
    _last = int(number)
    if number == EAGAIN:
        raise Again(number)
    if number == Errno.ETERM:
        raise ContextTerminated(number)
    raise ZMQError(number, message)


def zmq_errno() -> int:
    """The number of the last error."""
    return _last


def strerror(number: int) -> str:
    return _TEXTS.get(number) or os.strerror(number)


def zmq_version_info() -> tuple[int, int, int]:
    """The libzmq whose rules are kept; pyzmq switches features by it."""
    return (4, 3, 5)


def has(capability: str) -> bool:
    return capability == "ipc"


def curve_keypair() -> tuple[bytes, bytes]:
    """There is no encryption here, as in a libzmq built without libsodium."""
    fail(ENOTSUP)


def curve_public(secret_key: str | bytes) -> bytes:
    """There is no encryption here, as in a libzmq built without libsodium."""
    if len(secret_key) != 40:
        raise ValueError(f"a secret key has 40 characters of Z85, this one {len(secret_key)}")
    fail(ENOTSUP)


__all__ = [
    "EAGAIN",
    "EFAULT",
    "EINTR",
    "EINVAL",
    "EMFILE",
    "ENOTSUP",
    "curve_keypair",
    "curve_public",
    "fail",
    "has",
    "strerror",
    "zmq_errno",
    "zmq_version_info",
]
