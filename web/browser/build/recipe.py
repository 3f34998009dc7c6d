"""`recipe.toml`, typed: what is downloaded, what is packed, and under which names."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent

# Pyodide 0.27's Python. What is compiled fits no other.
PYTHON = "3.12"
WHEEL_TAG = f"cp{PYTHON.replace('.', '')}-none-any"


@dataclasses.dataclass(frozen=True)
class Source:
    """Where a download can be had. `member`: the file inside it that is wanted, if it is not itself."""

    kind: Literal["npm", "pypi", "url"]
    address: str
    file: str
    size: int
    member: str | None = None

    @property
    def origin(self) -> str:
        """In one word for people: `PyPI msgpack==1.2.4`."""
        return {"npm": "npm ", "pypi": "PyPI ", "url": ""}[self.kind] + self.address


@dataclasses.dataclass(frozen=True)
class Download:
    """A file of others, with the checksum (sha256, hexadecimal) and the size in bytes it must have."""

    name: str
    version: str
    file: str
    sha256: str
    size: int
    sources: tuple[Source, ...]


@dataclasses.dataclass(frozen=True)
class PublishedWheel:
    """A wheel of others, without the files that match `keep_out`, under the name of the page."""

    name: str
    version: str
    download: Download
    keep_out: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    opening: Path | None = None


@dataclasses.dataclass(frozen=True)
class OwnWheel:
    """A wheel of this checkout. `files`: path in the wheel to content, read once.

    So what is packed is what the digest was made of, also when somebody is editing.
    """

    name: str
    version: str
    summary: str
    depends: tuple[str, ...]
    files: dict[str, bytes]
    origin: str


@dataclasses.dataclass(frozen=True)
class Recipe:
    """All of `recipe.toml`."""

    core: Download
    published: tuple[PublishedWheel, ...]
    packages: tuple[Path, ...]
    host: Path
    judge: JudgeModules


@dataclasses.dataclass(frozen=True)
class JudgeModules:
    """Which modules of the judge go into the page: `modules` is a TOML file that lists them."""

    name: str
    version: str
    modules: Path
    depends: tuple[str, ...]


def read_recipe() -> Recipe:
    """The recipe of this checkout."""
    table = tomllib.loads((HERE / "recipe.toml").read_text(encoding="utf-8"))
    judge = table["judge"]
    return Recipe(
        core=_download(table["core"]),
        published=tuple(_published(row) for row in table["wheel"]),
        packages=tuple(ROOT / path for path in table["ours"]["packages"]),
        host=ROOT / table["ours"]["host"],
        judge=JudgeModules(
            judge["name"], judge["version"], ROOT / judge["modules"], tuple(judge["depends"])
        ),
    )


def _published(row: dict[str, Any]) -> PublishedWheel:
    opening = row.get("opening")
    return PublishedWheel(
        name=row["name"],
        version=row["version"],
        download=_download(row),
        keep_out=tuple(row.get("keep_out", ())),
        depends=tuple(row.get("depends", ())),
        opening=HERE / opening if opening else None,
    )


def _download(row: dict[str, Any]) -> Download:
    sources = tuple(_source(source, row) for source in row["sources"])
    return Download(row["name"], row["version"], row["file"], row["sha256"], row["size"], sources)


def _source(source: dict[str, Any], row: dict[str, Any]) -> Source:
    (kind,) = {"npm", "pypi", "url"} & set(source)
    return Source(
        kind=kind,
        address=source[kind],
        file=source.get("file", row["file"]),
        size=source.get("size", row["size"]),
        member=source.get("member"),
    )
