"""The rooms of docs/architecture.md import only what its table allows."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From the ground up, as in the document.
ALLOWED: dict[str, set[str]] = {
    "texts": set(),
    "verdict": {"texts"},
    "junit": {"texts", "verdict"},
    "results": {"texts", "verdict"},
    "catalog": {"texts", "verdict"},
    "wire": set(),
    "control": set(),
    "kit": {"texts", "wire"},
    "examinee": {"wire"},
    "sandbox": {"wire", "control", "examinee"},
    "examiner": {
        "texts", "verdict", "results", "catalog", "wire", "control", "kit", "examinee", "sandbox",
    },
    "grade": {"texts", "verdict", "results", "catalog", "control", "sandbox", "examiner"},
    "measure": {"texts", "catalog", "wire", "grade", "sandbox"},
    "cli": {"measure", "texts", "verdict", "junit", "catalog", "grade", "sandbox"},
}  # fmt: skip


def imports_of(path: Path) -> set[str]:
    """The rooms of `judge` that a file imports; `judge.a.b` is the room `a`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("judge.")}
    return found


def files_of(room: str) -> list[Path]:
    folder = ROOT / "judge" / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_only_what_lies_below(room):
    for path in files_of(room):
        extra = imports_of(path) - ALLOWED[room] - {room}
        assert not extra, f"{path.relative_to(ROOT)} imports {sorted(extra)}"


def test_every_room_is_known():
    rooms = {
        p.stem
        for p in (ROOT / "judge").iterdir()
        if p.suffix == ".py" or (p / "__init__.py").exists()
    }
    assert rooms - {"__init__"} == set(ALLOWED)


def test_exercises_import_of_the_judge_only_the_kit():
    for path in (ROOT / "exercises").rglob("*.py"):
        assert imports_of(path) <= {"kit"}, path


def test_the_reference_layer_stands_alone():
    for path in (ROOT / "reference").rglob("*.py"):
        assert not imports_of(path), path


def test_the_supervisor_never_imports_torch():
    import subprocess
    import sys

    code = "import sys, judge.grade, judge.cli; assert 'torch' not in sys.modules and 'pytest' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


def test_the_judge_never_imports_the_page():
    """What it needs of `web` it loads by name, at the edge of a command."""
    for path in (ROOT / "judge").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.partition(".")[0] == "web" for name in names), path
