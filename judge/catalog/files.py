"""Files as text and folders as lists. Whatever is odd becomes a complaint, not a crash."""

from __future__ import annotations

import os
from pathlib import Path

from judge.catalog.complaints import Complaints


def decode(raw: bytes) -> str:
    """UTF-8 with or without a byte order mark, any line ending, to text with plain newlines."""
    return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path, purpose: str, complaints: Complaints) -> str | None:
    """The file's text; None after a complaint. A file without a word in it is refused too."""
    try:
        # Asked first: to read a named pipe would wait for ever.
        if not os.path.isfile(path):
            if os.path.lexists(path):
                complaints.add(path, "is not a file", f"put a file there: {purpose}")
            else:
                complaints.add(path, "missing", f"add this file: {purpose}")
            return None
        raw = path.read_bytes()
    except OSError as error:
        complaints.add(path, f"cannot be read: {error.strerror}", "make it a readable file")
        return None
    try:
        text = decode(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        complaints.add(path, "is not UTF-8", "save the file as UTF-8", line=line)
        return None
    if not text.strip():
        complaints.add(path, "is empty", f"write into it: {purpose}")
        return None
    return text


def entries(folder: Path, complaints: Complaints) -> list[Path]:
    """What stands in a folder, by name, without what tools leave there.

    Names that begin with a dot are editors' and systems' own; pytest and Python's import pass
    over them, so they cannot decide anything.
    """
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        problem = f"cannot be listed: {error.strerror}"
        complaints.add(folder, problem, "put a readable folder there")
        return []
    return [
        folder / name
        for name in names
        if name != "__pycache__" and not name.startswith(".") and not name.endswith("~")
    ]
