#!/usr/bin/env python3
"""The door to the set-up in `tools/set_up`: it finds or makes a Python that has everything.

python3 tools/environment.py [--page] [--tests] [-- ARGUMENTS OF A PYTHON THAT HAS IT ALL]

--page    also what the site needs
--tests   also what the site and the tests need
"""

from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))

# An isolated Python (-I) does not look beside the script by itself.
sys.path.insert(0, HERE)
from set_up import ensure  # noqa: E402

sys.path.remove(HERE)

__all__ = ["ensure"]

PAGE = ("page", "node")


def main() -> None:
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    own, command = set(sys.argv[1:at]), sys.argv[at + 1 :]
    if own - {"--page", "--tests"}:
        print((__doc__ or "").split("\n\n", 1)[-1].strip("\n"), file=sys.stderr)
        sys.exit(2)
    groups, system = (), ("bubblewrap",)
    if own:
        groups = PAGE
    if "--tests" in own:
        groups, system = (*PAGE, "test"), (*system, "chromium")
    ensure(groups, system, retry=True)
    if command:
        os.execv(sys.executable, [sys.executable, *command])
    from set_up.console import say

    say(f"ready: {sys.executable}", f"已就绪：{sys.executable}")


if __name__ == "__main__":
    main()
