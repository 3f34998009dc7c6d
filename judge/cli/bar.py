"""The progress bar: on a terminal's standard error only, gone when the work is done."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from fractions import Fraction

from rich.console import Console


class Bar:
    """Counts steps. Where there is no terminal it does nothing."""

    def __init__(self, console: Console, total: int, label: str) -> None:
        self._progress = None
        self._lock = threading.Lock()
        if console.is_terminal and not console.is_dumb_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._progress = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                console=console,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._task = self._progress.add_task(label, total=total)

    def __enter__(self) -> Bar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def step(self, number: int | Fraction = 1) -> None:
        if self._progress is not None:
            self._progress.advance(self._task, number)  # type: ignore[arg-type]

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away meanwhile: what is printed on the same terminal would run into it."""
        if self._progress is None:
            yield
            return
        with self._lock:
            self._progress.stop()
            try:
                yield
            finally:
                self._progress.start()
