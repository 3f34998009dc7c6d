"""How long a verdict takes, and how long plain pytest takes for the same tests, from one run.

For each exercise: the median of warm gradings of its reference solution (both suites), the same of
its stub, which fails about every test, the median of `python -m pytest` on the same test files in a
fresh process, and the ratio. `judge.py bench` prints more of the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from judge.cli import main

if __name__ == "__main__":
    sys.exit(main(["bench", *sys.argv[1:]]))
