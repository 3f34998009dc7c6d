"""What the tests of the catalogue share: a small valid course, ways to change it, its complaints."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.catalog import CatalogError, Complaint, load_catalog

SETTINGS = """\
order = 20
difficulty = 2
module = "minisgl.message.utils"
provides = ["pack"]
prerequisites = []
uses = []

[title]
en = "Any shape"
zh = "任意形状"

[[hints]]
en = "Look at the shape."
zh = "看形状。"

[tests.test_shown]
zh = "可见"

[tests.test_secret]
zh = "隐藏"
"""
EXAMPLES = '''\
import pytest


@pytest.mark.parametrize("value", [1, 2])
def test_shown(learner, value):
    """A value comes back.

    More words.
    """
    assert learner.pack(value) == value
'''
HIDDEN = '''\
def test_secret(learner):
    """Two values come back."""
    assert learner.pack(3) == 3
'''
WRONG = """\
# /// wrong
# fails = ["test_secret"]
# en = "It forgets."
# zh = "它忘了。"
# ///
def pack(value):
    return None
"""
CHAPTER = """\
order = 12
[title]
en = "Messages"
zh = "消息"
"""
FILES = {
    "exercise.toml": SETTINGS,
    "statement.en.md": "# Do it\n",
    "statement.zh.md": "# 做吧\n",
    "stub.py": "def pack(value):\n    raise NotImplementedError\n",
    "test_examples.py": EXAMPLES,
    "test_hidden.py": HIDDEN,
    "wrong/forgets.py": WRONG,
}
MODULES = ("__init__", "core", "message/__init__", "message/utils", "utils/__init__", "utils/mp")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    write(path, text.replace(old, new))


def add_exercise(root: Path, name: str, **changes: str) -> Path:
    """A valid exercise; `changes` are lines of exercise.toml by key."""
    folder = root / "exercises/ch12" / name
    for file, text in FILES.items():
        write(folder / file, text)
    write(root / f"reference/solutions/ch12/{name}.py", "def pack(value):\n    return value\n")
    for key, value in changes.items():
        lines = (folder / "exercise.toml").read_text(encoding="utf-8").splitlines(keepends=True)
        lines = [f"{key} = {value}\n" if line.startswith(f"{key} =") else line for line in lines]
        write(folder / "exercise.toml", "".join(lines))
    return folder


def make_root(root: Path) -> Path:
    for module in MODULES:
        write(root / f"reference/minisgl/{module}.py", f"# {module}\n")
    write(root / "exercises/ch12/chapter.toml", CHAPTER)
    add_exercise(root, "nd-tensor")
    needs = '["nd-tensor"]'
    add_exercise(root, "queue", order="30", module='"minisgl.utils.mp"', prerequisites=needs)
    return root


def complaints(root: Path) -> tuple[Complaint, ...]:
    with pytest.raises(CatalogError) as caught:
        load_catalog(root)
    return caught.value.complaints
