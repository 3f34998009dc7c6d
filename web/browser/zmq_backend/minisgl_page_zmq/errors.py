"""Errors and the small facts that pyzmq asks a backend for."""

from __future__ import annotations

import os
from errno import EAGAIN, EFAULT, EINTR, EINVAL, EMFILE, ENOTSUP
from typing import NoReturn

from zmq.error import Again, ContextTerminated, ZMQError

from zmq.constants import Errno

# ZMQ's own numbers, which no operating system has a text for.
_TEXTS = {
    Errno.EFSM: "Operation cannot be accomplished in current state",
    Errno.ENOCOMPATPROTO: "The protocol is not compatible with the socket type",
    Errno.ETERM: "Context was terminated",
    Errno.EMTHREAD: "No thread available",
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
