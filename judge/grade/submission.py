"""Reads a learner's file, before any of it runs."""

from __future__ import annotations

from pathlib import Path

from judge.results.source import MAX_SOURCE_BYTES, SourceProblem, decode_source
from judge.texts import Text

__all__ = ["MAX_SOURCE_BYTES", "SourceProblem", "decode_source", "read_submission"]


def read_submission(path: Path) -> bytes:
    """A learner's file. Raises `SourceProblem` if there is none, or none that can be read."""
    try:
        with open(path, "rb") as file:
            # One byte over the limit is enough to know, whatever a huge or endless file holds.
            return file.read(MAX_SOURCE_BYTES + 1)
    except FileNotFoundError:
        text = Text(f"There is no file {path}.", f"没有文件 {path}。")
    except IsADirectoryError:
        text = Text(f"{path} is a folder, not a file.", f"{path} 是目录，不是文件。")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        text = Text(f"{path} cannot be read: {why}.", f"无法读取 {path}：{why}。")
    raise SourceProblem(text)
