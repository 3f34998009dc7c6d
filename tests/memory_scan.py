"""Counts texts in the memory of other processes: `python memory_scan.py PID…`, the texts on standard input.

Prints one JSON object: for each pid that lives, how often each text occurs in what the process may have written
or been given: its heap, stacks and every other mapping that is no mere view of a file. Needs the right
to trace these processes, so usually root; a program of its own so that sudo can run just this.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

BLOCK = 1 << 22
# As Python and C hold a text: by bytes, and in strings that have wider characters elsewhere.
ENCODINGS = ("utf-8", "utf-16-le", "utf-32-le")


def regions(pid: int):
    """The mappings to look at, as start and end."""
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        span, rights, _, _, inode, *_ = line.split()
        if rights[0] == "r" and (rights[1] == "w" or inode == "0"):
            start, _, end = span.partition("-")
            yield int(start, 16), int(end, 16)


def blocks(pid: int, overlap: int):
    """The contents, in blocks that overlap so that nothing is cut in two."""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for start, end in regions(pid):
            for position in range(start, end, BLOCK):
                try:
                    memory.seek(position)
                    yield memory.read(min(BLOCK + overlap, end - position))
                except (OSError, ValueError, OverflowError):
                    continue  # [vvar] and the like


def count(pid: int, texts: list[str]) -> dict[str, int] | None:
    """None for a process that has ended."""
    patterns = {
        text: re.compile(b"|".join(re.escape(text.encode(e)) for e in ENCODINGS)) for text in texts
    }
    longest = max(len(text) for text in texts) * 4
    found = dict.fromkeys(texts, 0)
    try:
        for block in blocks(pid, longest):
            for text, pattern in patterns.items():
                found[text] += sum(1 for _ in pattern.finditer(block))
    except (FileNotFoundError, ProcessLookupError):
        return None
    return found


if __name__ == "__main__":
    texts = json.load(sys.stdin)
    found = {pid: count(int(pid), texts) for pid in sys.argv[1:]}
    print(json.dumps({pid: number for pid, number in found.items() if number is not None}))
