"""What a program prints: handed to the page in pieces, and only so much of it."""

from __future__ import annotations

import codecs
import io
import sys
import time
from typing import Any

from .bridge import bridge

KEPT = 256 * 1024  # bytes of a run; the rest is counted
PIECE = 4096  # characters that are handed over at once
SOON = 0.05  # seconds after which a program that never rests hands over what it has


class Output:
    """`sys.stdout` and `sys.stderr` of one run."""

    def __init__(self) -> None:
        self.dropped = 0  # bytes
        self._kept = 0
        self._pieces: list[tuple[str, str]] = []
        self._length = 0
        self._handed_over = time.monotonic()
        self.stdout = _text(_Raw(self, "stdout"))
        self.stderr = _text(_Raw(self, "stderr"))

    def take(self, stream: str, data: bytes, decoder: codecs.IncrementalDecoder) -> None:
        room = KEPT - self._kept
        if len(data) > room:
            self.dropped += len(data) - room
            data = data[:room]
        if data:
            self._kept += len(data)
            text = decoder.decode(data)
            self._pieces.append((stream, text))
            self._length += len(text)
            if self._length >= PIECE or time.monotonic() - self._handed_over > SOON:
                self.hand_over()

    def hand_over(self) -> None:
        """Give the page what it has not got yet. Cheap if there is nothing."""
        if not self._pieces:
            return
        pieces, self._pieces, self._length = self._pieces, [], 0
        self._handed_over = time.monotonic()
        joined: list[tuple[str, list[str]]] = []
        for stream, text in pieces:
            if not joined or joined[-1][0] != stream:
                joined.append((stream, []))
            joined[-1][1].append(text)
        for stream, texts in joined:
            bridge.write(stream, "".join(texts))

    def finish(self) -> None:
        for stream in (self.stdout, self.stderr):
            if not stream.closed:
                stream.flush()
        self.hand_over()


class _Raw(io.RawIOBase):
    def __init__(self, output: Output, name: str) -> None:
        super().__init__()
        self._output, self.name = output, f"<{name}>"
        self._stream = name
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        content = bytes(data)
        self._output.take(self._stream, content, self._decoder)
        return len(content)


def _text(raw: _Raw) -> io.TextIOWrapper:
    errors = "strict" if raw.name == "<stdout>" else "backslashreplace"
    return io.TextIOWrapper(
        raw,  # type: ignore[arg-type]
        encoding="utf-8",
        errors=errors,
        newline="\n",
        line_buffering=True,
    )


def install(output: Output) -> None:
    """Of this run; `cleaning` gives the streams from before back."""
    sys.stdout, sys.stderr = output.stdout, output.stderr
    sys.stdin = io.StringIO()  # nobody types here: `input` says EOFError
