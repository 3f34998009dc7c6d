"""The site and the judge: who may know whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# As docs/architecture.md says.
OF_THE_JUDGE = {"catalog", "grade", "texts", "verdict"}


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def test_the_site_knows_of_the_judge_only_its_doors():
    for path in (ROOT / "web" / "site").rglob("*.py"):
        rooms = {name.split(".")[1] for name in imported(path) if name.startswith("judge.")}
        assert rooms <= OF_THE_JUDGE, f"{path.relative_to(ROOT)} imports {sorted(rooms)}"


def test_the_judge_does_not_know_the_site():
    for path in (ROOT / "judge").rglob("*.py"):
        assert not {name for name in imported(path) if name.split(".")[0] == "web"}, path


def test_the_site_never_imports_torch():
    """Only the judge's own processes do; the server and its workers start without it."""
    code = (
        "import sys, web.site, web.site.server, web.site.worker; "
        "assert not {'torch', 'pytest'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)
