"""The packages of pyproject.toml: in the running Python, in .venv, or installed there now."""

from __future__ import annotations

import os
import sys

from .installing import install_packages
from .lock import lock
from .notes import read_json
from .places import STAMP, VENV, VENV_PYTHON
from .python import PYTHONS, restart, version_of
from .requirements import has_all, read_project, requirements


def find_packages(groups: tuple[str, ...]) -> None:
    """Return if the running Python has these groups and all else; restart in one that has, otherwise.

    Raises `SetUpError` if they cannot be installed.
    """
    project = read_project()
    stamp = read_json(STAMP)
    fits = stamp is not None and stamp_fits(stamp, project, groups)
    if os.path.realpath(sys.prefix) == os.path.realpath(VENV):
        # No stamp: a .venv made by hand. It may be anything that the ranges allow.
        same_python = stamp is None or stamp.get("python") == list(sys.version_info[:2])
        if (fits or stamp is None) and same_python and has_all(requirements(project, groups)):
            return
    elif has_all(requirements(project, groups)):
        return
    elif fits or (stamp is None and version_of(VENV_PYTHON) in PYTHONS):
        restart(VENV_PYTHON)
    with lock() as (waited, descriptor):
        if waited:  # whoever held the lock may have done all of it: look again
            restart(sys.executable)
        install_packages(project, groups, descriptor)
    restart(VENV_PYTHON)


def stamp_fits(stamp: dict, project: dict, groups: tuple[str, ...]) -> bool:
    """Whether .venv was filled by these very lists, with at least these groups."""
    return (
        stamp.get("digest") == project["digest"]
        and set(groups) <= set(stamp["groups"])
        and os.access(VENV_PYTHON, os.X_OK)
    )
