"""The documents keep their word: what they tell an author to write is an exercise that works."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from judge.catalog import load_catalog
from judge.grade import Judge
from judge.grade.check import check

ROOT = Path(__file__).parents[1]
FILES = [
    "exercise.toml",
    "stub.py",
    "test_examples.py",
    "test_hidden.py",
    None,
    "wrong/forgets_batches.py",
]


def test_the_exercise_of_the_authoring_page_works_as_it_stands_there(tmp_path):
    page = (ROOT / "docs/authoring.md").read_text()
    blocks = re.findall(r"```(?:toml|python)\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == len(FILES)
    folder = tmp_path / "exercises/ch12/last-token"
    (folder / "wrong").mkdir(parents=True)
    solutions = tmp_path / "reference/solutions/ch12"
    solutions.mkdir(parents=True)
    shutil.copytree(ROOT / "reference/minisgl", tmp_path / "reference/minisgl")
    shutil.copy(ROOT / "exercises/ch12/chapter.toml", tmp_path / "exercises/ch12")
    for file, block in zip(FILES, blocks, strict=True):
        target = solutions / "last-token.py" if file is None else folder / file
        target.write_text(block)
    for language in ("en", "zh"):
        (folder / f"statement.{language}.md").write_text("What is asked.\n")
    with Judge() as judge:
        rows = check(judge, load_catalog(tmp_path).select())
    assert [row.case.kind for row in rows] == ["reference", "stub", "wrong"]
    assert [row.problems for row in rows] == [()] * 3


def test_every_link_between_documents_leads_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page.name}: {link}"
