"""The wheels of this checkout: which files go into them. Writes nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path

from .errors import BuildError
from .recipe import ROOT, JudgeModules, OwnWheel, Recipe


def own_wheels(recipe: Recipe) -> list[OwnWheel]:
    """Our packages and the judge's modules. Raises `BuildError` for one that is not there."""
    return [*(_package(folder) for folder in recipe.packages), _judge(recipe.judge)]


def _package(folder: Path) -> OwnWheel:
    """A folder with a pyproject.toml: the packages that its table `tool.setuptools` names."""
    table = tomllib.loads(read_source(folder / "pyproject.toml").decode())
    project, layout = table["project"], table["tool"]["setuptools"]
    source = folder / layout.get("package-dir", {}).get("", "")
    files: dict[str, bytes] = {}
    for package in layout["packages"]:
        inside = package.replace(".", "/")
        for path in sorted((source / inside).iterdir()):
            if path.suffix in (".py", ".toml", ".json"):
                files[f"{inside}/{path.name}"] = path.read_bytes()
        if f"{inside}/__init__.py" not in files:
            raise _missing(source / inside / "__init__.py")
    depends = tuple(line.partition(">")[0].strip() for line in project.get("dependencies", ()))
    origin = folder.relative_to(ROOT).as_posix()
    return OwnWheel(
        project["name"], project["version"], project["description"], depends, files, origin
    )


def _judge(judge: JudgeModules) -> OwnWheel:
    """Each module, or package with all that is in it, and the `__init__.py` of every parent."""
    paths: dict[str, Path] = {}
    for module in tomllib.loads(read_source(judge.modules).decode())["modules"]:
        parts = module.split(".")
        for depth in range(1, len(parts)):
            parent = Path(*parts[:depth], "__init__.py")
            paths[parent.as_posix()] = ROOT / parent
        path = ROOT.joinpath(*parts)
        inside = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        paths.update({found.relative_to(ROOT).as_posix(): found for found in inside})
    return OwnWheel(
        judge.name,
        judge.version,
        "The practice judge's own modules that grade example tests in a web page.",
        judge.depends,
        {inside: read_source(path) for inside, path in sorted(paths.items())},
        judge.modules.relative_to(ROOT).as_posix(),
    )


def read_source(path: Path) -> bytes:
    """A file of this checkout. Raises `BuildError` if it is not there."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise _missing(path) from None


def _missing(path: Path) -> BuildError:
    name = path.relative_to(ROOT).as_posix()
    return BuildError(f"the checkout lacks {name}", f"代码目录中缺少 {name}")
