"""Landlock: which files a process may reach at all, decided by itself and never taken back."""

from __future__ import annotations

import contextlib
import os
import stat
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from judge.sandbox import kernel

_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1

WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5
MAKE_DIR, MAKE_REG, MAKE_SOCK = 1 << 7, 1 << 8, 1 << 9
REFER, TRUNCATE = 1 << 13, 1 << 14
_FILE_RIGHTS = 1 | WRITE_FILE | READ_FILE | TRUNCATE | 1 << 15
# What each version of the interface can refuse; asking an old kernel for more is an error.
_FILE_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
_ALL_NET, _ALL_SCOPES = 0b11, 0b11

READ = READ_FILE | READ_DIR
SCRATCH = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE
SOCKETS = READ_DIR | REMOVE_FILE | MAKE_SOCK
DEVICE = READ_FILE | WRITE_FILE


@dataclass(frozen=True)
class Rule:
    """Grants `rights` on everything beneath `path`."""

    path: str
    rights: int


def version() -> int:
    """The interface's version, or 0 where there is no Landlock."""
    if not kernel.supported():
        return 0
    with contextlib.suppress(OSError):
        return kernel.syscall(kernel.SYS_LANDLOCK_CREATE, 0, 0, _VERSION_FLAG, what="landlock")
    return 0


def restrict(rules: Iterable[Rule]) -> None:
    """Allow this process what `rules` grant and nothing else: no other file, no TCP port, no signal
    and no abstract socket beyond itself as far as the kernel knows these.

    Needs `no_new_privs`. Paths that do not exist are passed over. Raises `OSError`.
    """
    known = version()
    handled = (1 << _FILE_BITS.get(known, 16)) - 1
    network, scopes = (_ALL_NET if known >= 4 else 0), (_ALL_SCOPES if known >= 6 else 0)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    attributes = struct.pack("=QQQ", handled, network, scopes)[:size]
    ruleset = kernel.syscall(
        kernel.SYS_LANDLOCK_CREATE, attributes, size, 0, what="landlock_create_ruleset"
    )
    try:
        for rule in rules:
            _add(ruleset, rule, handled)
        kernel.syscall(kernel.SYS_LANDLOCK_RESTRICT, ruleset, 0, what="landlock_restrict_self")
    finally:
        os.close(ruleset)


def _add(ruleset: int, rule: Rule, handled: int) -> None:
    try:
        descriptor = os.open(rule.path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        rights = rule.rights & handled
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _FILE_RIGHTS
        attributes = struct.pack("=Qi", rights, descriptor)
        kernel.syscall(
            kernel.SYS_LANDLOCK_ADD, ruleset, _RULE_PATH_BENEATH, attributes, 0,
            what=f"landlock_add_rule {rule.path}",
        )  # fmt: skip
    finally:
        os.close(descriptor)
