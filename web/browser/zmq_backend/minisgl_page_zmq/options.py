"""Socket and context options: their defaults, which can be read or set, and by which sockets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zmq.constants import ContextOption, SocketOption, SocketType

from .errors import EINVAL, fail

_ZERO = (
    "AFFINITY RECONNECT_IVL_MAX IMMEDIATE IPV6 MECHANISM PLAIN_SERVER CURVE_SERVER CONFLATE TOS "
    "HEARTBEAT_IVL HEARTBEAT_TTL INVERT_MATCHING ZAP_ENFORCE_DOMAIN RECONNECT_STOP "
    "LOOPBACK_FASTPATH CONNECT_TIMEOUT TCP_MAXRT"
)
_MINUS_ONE = (
    "SNDBUF RCVBUF LINGER RCVTIMEO SNDTIMEO MAXMSGSIZE TCP_KEEPALIVE TCP_KEEPALIVE_CNT "
    "TCP_KEEPALIVE_IDLE TCP_KEEPALIVE_INTVL HEARTBEAT_TIMEOUT USE_FD"
)
_EMPTY = (
    "ROUTING_ID PLAIN_USERNAME PLAIN_PASSWORD ZAP_DOMAIN SOCKS_PROXY SOCKS_USERNAME "
    "SOCKS_PASSWORD BINDTODEVICE"
)
READABLE: dict[str, int | bytes] = {
    **dict.fromkeys(_ZERO.split(), 0),
    **dict.fromkeys(_MINUS_ONE.split(), -1),
    **dict.fromkeys(_EMPTY.split(), b""),
    "SNDHWM": 1000,
    "RCVHWM": 1000,
    "RATE": 100,
    "RECOVERY_IVL": 10000,
    "RECONNECT_IVL": 100,
    "BACKLOG": 100,
    "MULTICAST_HOPS": 1,
    "MULTICAST_MAXTPDU": 1500,
    "MULTICAST_LOOP": 1,
    "HANDSHAKE_IVL": 30000,
    "IPV4ONLY": 1,
}
# Options that can be set, but not read, and by some sockets only.
_PUBLISHERS = {SocketType.XPUB, SocketType.PUB}
WRITE_ONLY: dict[str, tuple[set[SocketType], int | bytes]] = {
    "XPUB_VERBOSE": (_PUBLISHERS, 0),
    "XPUB_VERBOSER": (_PUBLISHERS, 0),
    "XPUB_NODROP": (_PUBLISHERS, 0),
    "XPUB_WELCOME_MSG": (_PUBLISHERS, b""),
    "XSUB_VERBOSE_UNSUBSCRIBE": ({SocketType.XSUB}, 0),
    "ROUTER_MANDATORY": ({SocketType.ROUTER}, 0),
    "ROUTER_HANDOVER": ({SocketType.ROUTER}, 0),
    "CONNECT_ROUTING_ID": ({SocketType.ROUTER}, b""),
    "PROBE_ROUTER": ({SocketType.ROUTER, SocketType.DEALER, SocketType.REQ}, 0),
    "REQ_CORRELATE": ({SocketType.REQ}, 0),
    "REQ_RELAXED": ({SocketType.REQ}, 0),
}

_AT_LEAST: dict[str, int] = {
    "SNDHWM": 0,
    "RCVHWM": 0,
    "LINGER": -1,
    "RCVTIMEO": -1,
    "SNDTIMEO": -1,
    "RECONNECT_IVL": -1,
    "RECONNECT_IVL_MAX": 0,
    "BACKLOG": 0,
    "HANDSHAKE_IVL": 0,
}
_SWITCHES = {"IMMEDIATE", "CONFLATE", "IPV6", "ROUTER_MANDATORY", "ROUTER_HANDOVER", "REQ_RELAXED",
             "REQ_CORRELATE", "PROBE_ROUTER", "INVERT_MATCHING"}  # fmt: skip


def defaults() -> dict[str, Any]:
    return READABLE | {name: default for name, (_, default) in WRITE_ONLY.items()}


def name_of(number: int) -> str:
    """The option's name; EINVAL for a number that is none."""
    try:
        return SocketOption(number).name
    except ValueError:
        fail(EINVAL)


def check(kind: SocketType, name: str, value: int | bytes) -> None:
    """EINVAL unless a socket of `kind` may set the option to `value`."""
    if name in WRITE_ONLY:
        if kind not in WRITE_ONLY[name][0]:
            fail(EINVAL)
    elif name not in READABLE or name == "MECHANISM":
        fail(EINVAL)
    if name == "ROUTING_ID" and isinstance(value, bytes) and not 0 < len(value) < 256:
        fail(EINVAL)
    if isinstance(value, int):
        if value < _AT_LEAST.get(name, value):
            fail(EINVAL)
        if name in _SWITCHES and value not in (0, 1):
            fail(EINVAL)


CONTEXT_DEFAULTS: dict[int, int] = {
    ContextOption.IO_THREADS: 1,
    ContextOption.MAX_SOCKETS: 1023,
    ContextOption.SOCKET_LIMIT: 65535,
    ContextOption.THREAD_SCHED_POLICY: -1,
    ContextOption.MAX_MSGSZ: 2**31 - 1,
    ContextOption.MSG_T_SIZE: 64,
    SocketOption.IPV6: 0,
    SocketOption.BLOCKY: 1,
}
_CONTEXT_CHECKS: dict[int, Callable[[int], bool]] = {
    ContextOption.IO_THREADS: lambda value: value >= 0,
    ContextOption.MAX_SOCKETS: lambda value: value >= 1,
    ContextOption.MAX_MSGSZ: lambda value: value >= 0,
    SocketOption.IPV6: lambda value: value in (0, 1),
    SocketOption.BLOCKY: lambda value: value in (0, 1),
}
# Scheduling hints that libzmq takes for threads which do not exist here.
_IGNORED = {ContextOption.THREAD_SCHED_POLICY, ContextOption.THREAD_PRIORITY,
            ContextOption.THREAD_AFFINITY_CPU_ADD, ContextOption.THREAD_AFFINITY_CPU_REMOVE,
            ContextOption.THREAD_NAME_PREFIX}  # fmt: skip


def check_context(number: int, value: int) -> None:
    if number not in _IGNORED and not _CONTEXT_CHECKS.get(number, lambda _: False)(value):
        fail(EINVAL)
