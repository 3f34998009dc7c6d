"""What the tests of the command line share: a copy of the sample course, and how to start it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.cli import main
from judge.cli.warm import WarmJudge
from judge.cli.commands import check, doctor, judge, watch

PROJECT = Path(__file__).resolve().parent.parent
COURSE = PROJECT / "tests" / "course"
START = f"""\
import sys
sys.path.insert(0, {str(PROJECT)!r})
from pathlib import Path
from judge.cli import main
sys.exit(main(root=Path(__file__).parent))
"""

SOLUTION = (COURSE / "reference/solutions/ch1/double.py").read_text("utf-8")
LISTS = """\
def double(value):
    print("\\x1b[31m[red]not a colour[/red]", flush=True)
    return [value]
"""
RAISES = """\
def half(value):
    return value / 0


def double(value):
    return half(value) * 4
"""
SYNTAX = 'def double(value):\n\tprint("两倍" +* 2)\n'

# A second chapter: copies of the exercise `double`, each with what a learner made of it.
CHAPTER = {
    "good": SOLUTION,
    "refusal": (COURSE / "exercises/ch1/double/wrong/no_refusal.py").read_text("utf-8"),
    "lists": LISTS,
    "raises": RAISES,
    "syntax": SYNTAX,
    "untouched": None,
}


def copy_course(root: Path) -> Path:
    for name in ("exercises", "reference"):
        shutil.copytree(COURSE / name, root / name)
    (root / "start.py").write_text(START, "utf-8")
    return root


def add_chapter(root: Path) -> None:
    """`ch2` with the exercises and the learner's files of `CHAPTER`."""
    chapter = root / "exercises" / "ch2"
    chapter.mkdir()
    chapter.joinpath("chapter.toml").write_text(
        'order = 2\n[title]\nen = "The second"\nzh = "第二章"\n', "utf-8"
    )
    for order, (name, source) in enumerate(CHAPTER.items(), 1):
        shutil.copytree(root / "exercises/ch1/double", chapter / name)
        settings = chapter / name / "exercise.toml"
        text = settings.read_text("utf-8").replace("order = 1", f"order = {order}")
        text = text.replace("minisgl.double", f"minisgl.{name}").replace(
            "Twice as much", f"Twice: {name}"
        )
        settings.write_text(text.replace("翻倍", f"翻倍：{name}"), "utf-8")
        solution = root / "reference/solutions/ch2" / f"{name}.py"
        solution.parent.mkdir(exist_ok=True)
        solution.write_text(SOLUTION, "utf-8")
        if source is not None:
            write(root, f"ch2/{name}", source)


def write(root: Path, exercise: str, source: str) -> Path:
    path = root / "practice" / f"{exercise}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, "utf-8")
    return path


def environment(**more: str) -> dict[str, str]:
    """The environment of a learner with an English UTF-8 terminal, whoever runs these tests."""
    unwanted = ("LC_", "LANG", "NO_COLOR", "FORCE_COLOR", "GITHUB_", "COLUMNS", "PYTHONIOENCODING")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
    return {**kept, "LANG": "C.UTF-8", **more}


def start(root: Path, *words: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a learner does, in a process of its own."""
    return subprocess.run(
        [sys.executable, "start.py", *words],
        cwd=root,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )


class Program:
    """`main` in this process, on a course. `run` gives the exit code and what was printed."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self._capsys = root, capsys

    def run(self, *words: str) -> tuple[int, str, str]:
        self._capsys.readouterr()
        code = main(list(words), root=self.root)
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err


@contextmanager
def one_judge() -> Iterator[None]:
    """Have all commands in this process use one warm judge, for a start costs seconds."""
    modules = (judge, watch, check, doctor)
    with WarmJudge() as warm, pytest.MonkeyPatch.context() as patch:

        class Shared:
            def __init__(self, **_: object) -> None:
                pass

            def __enter__(self) -> WarmJudge:
                return warm

            def __exit__(self, *_: object) -> None:
                pass

        for module in modules:
            patch.setattr(module, "WarmJudge", Shared)
        yield


def clean(patch: pytest.MonkeyPatch, root: Path) -> None:
    """The learner's environment and folder for `main` in this process."""
    wanted = environment()
    for name in set(os.environ) - set(wanted):
        patch.delenv(name)
    patch.setenv("LANG", wanted["LANG"])
    patch.chdir(root)
