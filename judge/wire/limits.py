"""How much may cross at once. Both ends hold to the same numbers."""

from __future__ import annotations

MAX_STRUCTURE = 512 * 1024
MAX_ATTACHMENTS = 16 * 1024 * 1024
MAX_DEPTH = 100
MAX_NODES = 100_000
MAX_DIMENSIONS = 16
MAX_INTEGER_BYTES = 1024
# Whoever picks the keys of a dict can pick them to collide; strings and bytes are hashed with a
# secret of the process, and few 64-bit integers share a hash. Other keys only in small dicts.
MAX_ODD_KEYS = 1000
MSGPACK_INTEGERS = range(-(2**63), 2**64)


def is_plain_key(key: object) -> bool:
    """Whether any number of such keys may stand in one dict."""
    return type(key) in (str, bytes) or (type(key) is int and key in MSGPACK_INTEGERS)
