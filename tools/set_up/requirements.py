"""What pyproject.toml asks for, and whether the running Python has it."""

from __future__ import annotations

import json
import operator
import re

from .console import SetUpError
from .places import CONSTRAINTS, PROJECT

COMPARE = {">=": operator.ge, "==": operator.eq, "<": operator.lt}


def read_project() -> dict:
    """The table `project` of pyproject.toml, and a digest of all that decides what to install."""
    import hashlib
    import tomllib

    with open(PROJECT, "rb") as file:
        project = tomllib.load(file)["project"]
    with open(CONSTRAINTS, "rb") as file:
        digest = hashlib.sha256(file.read())
    lists = [project["dependencies"], project.get("optional-dependencies", {})]
    digest.update(json.dumps(lists).encode())
    return {**project, "digest": digest.hexdigest()}


def requirements(project: dict, groups: tuple[str, ...]) -> list[str]:
    """The lines for all of these groups together."""
    optional = project.get("optional-dependencies", {})
    return project["dependencies"] + [line for group in groups for line in optional[group]]


def has_all(wanted: list[str]) -> bool:
    """Whether the running interpreter meets these requirements."""
    from importlib.metadata import PackageNotFoundError, version

    for requirement in wanted:
        name, conditions = read_requirement(requirement)
        try:
            got = numbers(version(name))
        except (PackageNotFoundError, KeyError):  # KeyError: an uninstall that was cut short
            return False
        if not all(COMPARE[how](got, numbers(bound)) for how, bound in conditions):
            return False
    return True


def read_requirement(requirement: str) -> tuple[str, list[tuple[str, str]]]:
    """`a>=1.2,<3` as `a` and its conditions."""
    one = r"\s*(>=|==|<)\s*([\d.]+)\s*"
    match = re.fullmatch(rf"([\w.-]+)((?:{one}(?:,|$))*)", requirement)
    if match is None:
        raise SetUpError(
            f'pyproject.toml: cannot read "{requirement}"; write it like "name>=1.2,<3"',
            f'pyproject.toml：读不懂 "{requirement}"；请写成 "name>=1.2,<3" 这样的形式',
        )
    return match.group(1), re.findall(one, match.group(2))


def numbers(version: str | None) -> list[int]:
    """The release of a version without trailing zeros: `2.10.0+cpu` is [2, 10]."""
    release = re.match(r"[\d.]*", version or "").group()
    parts = [int(part) for part in release.split(".") if part]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts
