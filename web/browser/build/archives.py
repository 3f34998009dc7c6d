"""Packing: the same files always give the same bytes, so a checksum says whether something changed.

Archives are stored, not compressed. The site sends the `.gz` beside each, which is smaller than an archive
of compressed members, and a browser unpacks that natively; Python in the page then has nothing to inflate,
which made its start 0.2 s of processor time shorter.
"""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can say


def pack_wheel(tree: Path, target: Path) -> None:
    """Pack a compiled tree as a wheel; writes its RECORD (the format of PEP 376)."""
    (information,) = tree.glob("*.dist-info")
    rows = []
    for name, raw in _contents(tree):
        digest = base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).rstrip(b"=").decode()
        rows.append((name, f"sha256={digest}", len(raw)))
    record = f"{information.name}/RECORD"
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([*rows, (record, "", "")])
    (information / "RECORD").write_text(text.getvalue(), encoding="utf-8")
    pack_zip(tree, target)


def pack_zip(tree: Path, target: Path) -> None:
    """Pack a compiled tree. It appears under its name only when it is complete."""
    new = target.with_name(target.name + ".new")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_STORED) as archive:
        for name, raw in _contents(tree):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, raw)
    os.replace(new, target)


def write_gzip(path: Path) -> None:
    """Write `path.gz` beside it, for a server to send as it is."""
    packed = gzip.compress(path.read_bytes(), 9, mtime=0)
    path.with_name(path.name + ".gz").write_bytes(packed)


def _contents(tree: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file, sorted; the compiled file stands in for its source."""
    for path in sorted(tree.rglob("*")):
        if path.is_dir() or (path.suffix == ".py" and path.with_suffix(".pyc").exists()):
            continue
        yield path.relative_to(tree).as_posix(), path.read_bytes()
