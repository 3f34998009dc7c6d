"""What a build would make, and the digest of everything that decides it.

Reading the plan costs milliseconds and imports nothing heavy: it is what tells that nothing is to do.
"""

from __future__ import annotations

import dataclasses
import hashlib

from .ours import own_wheels, read_source
from .recipe import HERE, WHEEL_TAG, Download, OwnWheel, PublishedWheel, read_recipe

MANIFEST = "manifest.json"  # in the folder; holds `Plan.inputs`


@dataclasses.dataclass(frozen=True)
class Part:
    """One wheel of the page. `key` is the digest of what goes into it: same key, same wheel."""

    wheel: PublishedWheel | OwnWheel
    file: str
    key: str

    @property
    def origin(self) -> str:
        wheel = self.wheel
        return wheel.origin if isinstance(wheel, OwnWheel) else _first_origin(wheel.download)


@dataclasses.dataclass(frozen=True)
class Plan:
    """All that the folder will hold. `inputs` is the digest of the whole."""

    core: Download
    core_key: str
    parts: tuple[Part, ...]
    host: bytes
    inputs: str


def make_plan() -> Plan:
    """The plan for this checkout as it is now. Raises `BuildError` if a part of it is missing."""
    recipe = read_recipe()
    base = _digest(_own_code(), recipe.core.sha256)
    wheels = [*recipe.published, *own_wheels(recipe)]
    parts = tuple(_part(wheel, base) for wheel in wheels)
    host = read_source(recipe.host)
    inputs = _digest(base, host, *(part.key for part in parts))
    return Plan(recipe.core, base, parts, host, inputs)


def _part(wheel: PublishedWheel | OwnWheel, base: str) -> Part:
    values = [base, wheel.name, wheel.version, *wheel.depends]
    if isinstance(wheel, OwnWheel):
        file = _file_name(wheel)
        for inside, content in wheel.files.items():
            values += [inside, content]
        return Part(wheel, file, _digest(*values, wheel.summary))
    # A wheel for WebAssembly keeps its name, which says for which system it was compiled.
    published = wheel.download.file
    file = published if published.endswith("_wasm32.whl") else _file_name(wheel)
    opening = wheel.opening.read_bytes() if wheel.opening else b""
    return Part(wheel, file, _digest(*values, wheel.download.sha256, *wheel.keep_out, opening))


def _file_name(wheel: PublishedWheel | OwnWheel) -> str:
    """Byte-compiled for one Python, without extension modules: so its tag says."""
    return f"{wheel.name.replace('-', '_')}-{wheel.version}-{WHEEL_TAG}.whl"


def _own_code() -> bytes:
    """The build's own programs: a changed one may make everything differently."""
    paths = [path for path in sorted(HERE.iterdir()) if path.suffix in (".py", ".mjs")]
    return b"\0".join(path.read_bytes() for path in paths)


def _first_origin(download: Download) -> str:
    return download.sources[0].origin


def _digest(*values: str | bytes) -> str:
    """sha256 of a list; the lengths keep `["ab", "c"]` and `["a", "bc"]` apart."""
    digest = hashlib.sha256()
    for value in values:
        raw = value.encode() if isinstance(value, str) else value
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()
