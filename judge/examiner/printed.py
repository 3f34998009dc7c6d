"""What learners' code prints in this interpreter, kept as a judge keeps it."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator

from judge.examiner import problems
from judge.examiner.link import MAX_OUTPUT, Output


class _Sink(io.BufferedIOBase):
    """The bytes' way into an `Output`."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        size = len(memoryview(data))  # type: ignore[arg-type]
        self._output.add(bytes(data))  # type: ignore[call-overload]
        if self._output.flooded:
            raise problems.flood(MAX_OUTPUT)
        return size


@contextlib.contextmanager
def printing_into(output: Output) -> Iterator[None]:
    """Standard output and error go to `output`, in new streams: closing them harms nobody else."""
    # No buffer, so that what both streams print stays in its order.
    streams = [
        io.TextIOWrapper(_Sink(output), "utf-8", "backslashreplace", write_through=True)
        for _ in range(2)
    ]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        yield
