"""Addresses: how they are written, and what libzmq answers to a wrong one."""

from __future__ import annotations

import ipaddress
import os
import random
import tempfile
from dataclasses import dataclass
from errno import EADDRNOTAVAIL, ENAMETOOLONG, ENODEV

from zmq.constants import Errno

from .errors import EINVAL, fail
from .places import IPC_PATH_MAX_LEN


@dataclass(frozen=True)
class Address:
    """`key` is equal for addresses that meet; `text` is the form that the program sees."""

    transport: str
    key: tuple[object, ...]
    text: str
    path: str = ""  # of ipc
    temporary: bool = False  # ipc://*, a name that was made up


def parse(text: str, binding: bool, context_id: int) -> Address:
    """The address that `text` writes; an error as bind or connect raises it."""
    transport, separator, rest = text.partition("://")
    if not separator or not transport or not rest:
        fail(EINVAL)
    if transport == "inproc":
        return Address(transport, ("inproc", context_id, rest), text)
    if transport == "ipc":
        return _ipc(rest, text, binding)
    if transport == "tcp":
        return _tcp(rest, text, binding)
    fail(Errno.EPROTONOSUPPORT)


def _ipc(path: str, text: str, binding: bool) -> Address:
    if temporary := path == "*" and binding:
        path = os.path.join(tempfile.mkdtemp(), "socket")
        text = f"ipc://{path}"
    if len(os.fsencode(path)) > IPC_PATH_MAX_LEN:
        fail(ENAMETOOLONG)
    if path.startswith("@"):  # Linux's abstract names have no file
        return Address("ipc", ("ipc", path), text)
    folder, name = os.path.split(path)
    key = ("ipc", os.path.join(os.path.realpath(folder or "."), name))
    return Address("ipc", key, text, path, temporary)


def _tcp(rest: str, text: str, binding: bool) -> Address:
    """Only the port decides who meets whom: there is one machine, and it is this interpreter."""
    target = rest.rpartition(";")[2]  # an optional source address stands in front
    host, separator, port_text = target.rpartition(":")
    if not separator or not host:
        fail(EINVAL)
    if binding and port_text in ("*", "0"):
        port = random.randint(49152, 65535)
    elif port_text.isascii() and port_text.isdigit() and int(port_text) > 0:
        port = int(port_text) % 65536  # libzmq does not mind a larger number
    else:
        fail(EINVAL)
    name = host.strip("[]")
    if name == "*":
        if not binding:
            fail(EINVAL)
        name = "0.0.0.0"
    elif name == "localhost" and binding:
        name = "127.0.0.1"
    if name == "lo":
        name = "127.0.0.1"
    number = _number(name)
    if number is None and binding:
        fail(ENODEV)
    here = name == "localhost" if number is None else number.is_loopback or number.is_unspecified
    if binding and not here:
        fail(EADDRNOTAVAIL)
    shown = f"[{name}]" if number is not None and number.version == 6 else name
    return Address("tcp", ("tcp", here, port), f"tcp://{shown}:{port}")


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
