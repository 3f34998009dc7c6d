"""Small JSON files in which one start leaves word for the next."""

from __future__ import annotations

import json
import os


def read_json(path: str) -> dict | None:
    """None if there is none; {} if it cannot be read, which is never taken for a good one."""
    try:
        with open(path, encoding="utf-8") as file:
            return dict(json.load(file))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError):
        return {}


def write_json(path: str, value: dict) -> None:
    """Write the file whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(path + ".new", path)


def restore(path: str, value: dict | None) -> None:
    """Put back what `read_json` gave, be it that there was no file."""
    if value is None:
        os.remove(path)
    else:
        write_json(path, value)
