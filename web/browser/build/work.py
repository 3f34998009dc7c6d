"""One build from beginning to end, under a lock."""

from __future__ import annotations

import fcntl
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .console import Console
from .contents import fill
from .downloads import Downloads
from .errors import BuildError
from .folder import is_current, replace_folder
from .making import WORK, Parts, make_missing
from .plan import Plan


def build(plan: Plan, output: Path, cache: Path, console: Console) -> None:
    """Make `output` according to `plan`, with `cache` for downloads and parts. Raises `BuildError`."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        with _lock(cache / "build.lock", console):
            if is_current(output, plan.inputs):  # whoever held the lock has done it
                return
            began = time.monotonic()
            console.say("the page's Python: building", "网页中的 Python：正在构建")
            for stale in cache.glob(f"{WORK}*"):  # of a build that was interrupted
                shutil.rmtree(stale)
            parts = Parts(cache / "parts")
            make_missing(plan, parts, Downloads(cache / "downloads", console), console)
            replace_folder(plan, output, lambda folder: fill(plan, parts, folder))
            parts.keep_only({plan.core_key, *(part.key for part in plan.parts)})
            seconds = round(time.monotonic() - began)
            console.say(
                f"the page's Python: ready in {seconds} s",
                f"网页中的 Python：已就绪，用时 {seconds} 秒",
            )
    except OSError as error:
        raise BuildError(str(error), str(error)) from error


@contextmanager
def _lock(path: Path, console: Console) -> Iterator[None]:
    """One build at a time in this checkout. The lock goes with the process, however that ends."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            console.say(
                "the page's Python: another build is at it; waiting",
                "网页中的 Python：另一个进程正在构建，等待中",
            )
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
