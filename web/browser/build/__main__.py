"""`python -m web.browser.build`: make the page's Python, or bring it up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import RUNTIME, BuildError, ensure_runtime
from .console import Console


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m web.browser.build", description=__doc__)
    parser.add_argument("--output", type=Path, default=RUNTIME, metavar="FOLDER")
    output = parser.parse_args().output
    try:
        print(ensure_runtime(output))
    except BuildError as error:
        Console().say(f"build failed: {error.english}", f"构建失败：{error.chinese}")
        return 3
    except KeyboardInterrupt:
        Console().say(
            "build stopped; the next one goes on from there", "构建已中断；下次会接着进行"
        )
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
