"""A process in which the page's Python runs programs, one after the other, under Node.

Python is in a worker with its owner in another thread, as in the page (`page_programs/run.mjs`).
"""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

from web.browser.node import find_node

RUN = Path(__file__).parent / "page_programs" / "run.mjs"
LIMIT = 60.0  # seconds for one program, on a machine that does much else


class Page:
    """One interpreter; `run` runs a program in it. `start` tells how it came up."""

    def __init__(self, runtime: Path, flags: tuple[str, ...]) -> None:
        command = [str(find_node().program), *flags, str(RUN), str(runtime)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.start = self._answer()

    def run(self, source: str, stop_at: str | None = None, **more: Any) -> dict[str, Any]:
        """The answer of `page_programs/run.mjs`. `stop_at` is the output at which Stop is pressed;
        `more` may be `files`, `arguments`, `name`."""
        request = {"name": "program.py", "files": {}, "arguments": [], "source": source}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({**request, "stopAt": stop_at, **more}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        watch = threading.Timer(LIMIT, self._process.kill)
        watch.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watch.cancel()
        assert line, "the page's Python died, or did not end in time"
        return json.loads(line)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
