"""The reference tree, `reference/minisgl`: which modules it has, and which of them are shown."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from judge.catalog.files import decode

if TYPE_CHECKING:
    from judge.catalog.model import Exercise

PACKAGE = "minisgl"


class Reference(msgspec.Struct, frozen=True):
    """The dotted names below `folder`; the packages stand among the modules as well."""

    folder: Path
    modules: frozenset[str]
    packages: frozenset[str]


def scan(folder: Path) -> Reference:
    """Find the modules of `folder`/minisgl by their files. Links to folders are not followed."""
    modules: set[str] = set()
    packages: set[str] = set()
    for path, below, files in os.walk(folder / PACKAGE):
        if "__init__.py" not in files:
            below.clear()  # not a package, so nothing beneath it can be imported by a dotted name
            continue
        package = ".".join(Path(path).relative_to(folder).parts)
        packages.add(package)
        modules.add(package)
        modules.update(
            f"{package}.{file.removesuffix('.py')}"
            for file in files
            if file.endswith(".py") and file != "__init__.py"
        )
    return Reference(folder, frozenset(modules), frozenset(packages))


def support_modules(
    reference: Reference, replaced: Iterable[str], module: str, uses: Iterable[str]
) -> tuple[str, ...]:
    """The modules an examinee gets beside its own `module`, sorted by name.

    `replaced` names every module that an exercise of the catalogue teaches: none of them may be
    shown, or it would be the solution of that exercise, unless `uses` asks for it.
    """
    return tuple(sorted((reference.modules - set(replaced) | set(uses)) - {module}))


def bare_packages(
    reference: Reference, replaced: Iterable[str], module: str, uses: Iterable[str]
) -> frozenset[str]:
    """The packages whose `__init__` an examinee gets empty: their own imports what is hidden."""
    hidden = set(replaced) - set(uses) - {module}
    return frozenset(package for name in hidden for package in parents(name)) - set(uses) - {module}


def parents(module: str) -> list[str]:
    """The packages that Python imports on the way to `module`, outermost first."""
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def support_sources(exercise: Exercise) -> dict[str, str]:
    """Source text of each of `exercise.support_modules` by dotted name.

    A package's source is its `__init__.py`, or nothing if that would import what is hidden. Raises
    OSError if a file has gone since loading.
    """
    sources = {}
    for name in exercise.support_modules:
        if name in exercise.bare_packages:
            sources[name] = ""
            continue
        path = exercise.reference.joinpath(*name.split("."))
        package = path / "__init__.py"
        path = package if package.is_file() else path.with_name(f"{path.name}.py")
        sources[name] = decode(path.read_bytes())
    return sources
