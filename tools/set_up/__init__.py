"""Make this checkout ready: a Python that has every dependency, and the programs of the system.

Every start goes through `ensure`, so it costs milliseconds when nothing is missing. It uses the
standard library alone, stays readable for Python 3.8 (which must be able to say that it is too
old), and never writes to standard output: `--format json` prints JSON there.
"""

from __future__ import annotations

import os
import sys

from .console import SetUpError, say
from .node import without_needless_node
from .packages import find_packages
from .programs import find_programs
from .python import STARTS, start_with_suitable_python

__all__ = ["ensure"]


def ensure(groups: tuple[str, ...] = (), system: tuple[str, ...] = (), retry: bool = False) -> None:
    """Return in a Python that has all dependencies, or start this program again in one.

    `groups` are optional-dependencies of pyproject.toml; `node` among them counts only where PATH
    holds no Node that will do. `system` are names of `SYSTEM`; `retry` tries again what could not
    be installed before. Exits with 3 if that fails and 130 on Ctrl-C.
    """
    try:
        start_with_suitable_python()
        find_packages(without_needless_node(groups))
        find_programs(system, retry)
    except SetUpError as error:
        say(*error.args)
        sys.exit(3)
    except OSError as error:
        say(f"set-up failed: {error}", f"准备失败：{error}")
        sys.exit(3)
    except KeyboardInterrupt:
        say("set-up stopped; the next start repairs it", "准备已中断；下次启动会接着修复")
        sys.exit(130)
    os.environ.pop(STARTS, None)
