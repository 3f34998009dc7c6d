"""Grades in the page's runtime under Node, one submission after the other in one process."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

from web.browser.node import find_node

PROGRAM = Path(__file__).with_name("page_runner.mjs")
# Beyond the limit of a run: Node and Pyodide have to start, and a run that hangs has to be stopped.
GRACE_SECONDS = 60.0


class PageFailed(RuntimeError):
    """The runtime, not the submission, failed; the text says how."""


class NodePage:
    """A page without a browser. Close it, or use it with `with`. Several threads take turns.

    `runtime` is the folder that `web.browser.build.ensure_runtime` gives. Raises `NodeMissing`.
    """

    def __init__(self, runtime: Path) -> None:
        node = find_node()
        self._turn = threading.Lock()
        command = [str(node.program), *(node.stack_switching or ()), str(PROGRAM), str(runtime)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for whoever uses this, who then closes it
        )
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> NodePage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def grade(self, bundle: dict[str, Any], source: str, seed: int) -> dict[str, Any]:
        """The verdict's JSON form. Raises `PageFailed`.

        Code that hangs is stopped when the time of the submission is over; the verdict says so.
        """
        seconds = bundle["limits"]["test_seconds"] + bundle["limits"]["submission_seconds"]
        request = {"bundle": bundle, "source": source, "seed": seed, "seconds": seconds}
        with self._turn:
            line = self._ask(json.dumps(request), seconds + GRACE_SECONDS)
        answer = json.loads(line) if line else {"failure": "Node has ended"}
        if "verdict" not in answer:
            raise PageFailed(answer["failure"])
        return answer["verdict"]

    def _ask(self, request: str, seconds: float) -> str:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
            return self._answers.get(timeout=seconds)
        except (OSError, ValueError) as error:
            raise PageFailed(f"Node has ended: {error}") from None
        except queue.Empty:
            self.close()  # its answer, should it come after all, would be taken for the next one's
            raise PageFailed(f"Node has not answered within {seconds:g} s") from None

    def close(self) -> None:
        """End Node."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put("")
