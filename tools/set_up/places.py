"""Where the set-up finds and puts things."""

from __future__ import annotations

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
PROJECT = os.path.join(ROOT, "pyproject.toml")
CONSTRAINTS = os.path.join(ROOT, "constraints.txt")
STAMP = os.path.join(VENV, "stamp.json")  # in .venv, so that it goes when .venv goes
NOTES = os.path.join(ROOT, ".cache", "environment")
