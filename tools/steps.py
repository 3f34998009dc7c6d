"""Rebuild the book's tree step by step, and run each step's main program with only its files.

A reader who follows the book has, after each step, just the files named so far. This tool makes
sure that they suffice: it copies them into a fresh folder, looks for imports of files that are
not there yet, and runs the step's program. It only reads the tree and never changes it.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = "tools/steps.toml"
SOURCES = "reference"  # the folder that holds the package
PACKAGE = "minisgl"
LIMIT = 120.0  # seconds for one program; importing torch on a cold disk takes its time

OK, FAILED, UNUSABLE = 0, 1, 2


class ManifestError(Exception):
    """The manifest cannot be used as it stands."""


@dataclass(frozen=True)
class Step:
    """One table of the manifest. Exactly one of `program` (a text) and `run` (a file) is set."""

    name: str
    new: tuple[str, ...]
    changed: tuple[str, ...] = ()
    program: str | None = None
    run: str | None = None
    last_line: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        return self.new + self.changed


def load(root: Path) -> list[Step]:
    """The steps of `root`'s manifest, in order; ManifestError says what to mend."""
    path = root / MANIFEST
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("step")
    except (OSError, ValueError) as error:
        raise ManifestError(f"{MANIFEST} cannot be read: {error}") from error
    if not isinstance(tables, list) or not tables:
        raise ManifestError(f"{MANIFEST} has no [[step]] table")
    steps = [_step(table, number) for number, table in enumerate(tables, 1)]
    known: set[str] = set()
    names: set[str] = set()
    for step in steps:
        if step.name in names:
            raise ManifestError(f"two steps are called {step.name}")
        names.add(step.name)
        for file in step.new:
            if file in known:
                raise ManifestError(f"step {step.name}: {file} is not new; list it as changed")
            known.add(file)
        for file in step.changed:
            if file not in known or file in step.new:
                raise ManifestError(
                    f"step {step.name}: {file} is in no earlier step; list it as new"
                )
        if step.run is not None and step.run not in known:
            raise ManifestError(f"step {step.name}: {step.run} is in no step so far")
    return steps


def _step(table: object, number: int) -> Step:
    where = f"{MANIFEST}, step {number}"
    if not isinstance(table, dict):
        raise ManifestError(f"{where}: is no table; write [[step]]")
    for key, value in table.items():
        if key in ("new", "changed"):
            if not isinstance(value, list) or not all(_inside(file) for file in value):
                raise ManifestError(f"{where}: {key} is a list of paths inside the tree")
            if len(set(value)) != len(value):
                raise ManifestError(f"{where}: {key} names a file twice")
        elif key not in ("name", "program", "run", "last_line"):
            raise ManifestError(f"{where}: the key {key} is unknown")
        elif not isinstance(value, str):
            raise ManifestError(f"{where}: {key} is a string")
    name = table.get("name")
    if not _inside(name) or "/" in name:
        raise ManifestError(f"{where}: the name is missing, or cannot be a folder's name")
    if ("program" in table) == ("run" in table):
        raise ManifestError(f"{where}: has either program or run")
    lists = {key: tuple(table.get(key, ())) for key in ("new", "changed")}
    return Step(**{**table, **lists})


def _inside(path: object) -> bool:
    """Whether `path` is a relative path that stays inside the folder it is joined to."""
    if not isinstance(path, str) or not path:
        return False
    pure = PurePosixPath(path)
    return not pure.is_absolute() and ".." not in pure.parts and str(pure) == path != "."


def source(root: Path, steps: list[Step], number: int, file: str) -> Path:
    """Where the text lies that `file` has after step `number` (counted from 0)."""
    if any(file in later.changed for later in steps[number + 1 :]):
        return root / "tools" / "steps" / steps[number].name / file
    return root / file


def extra_files(root: Path, steps: list[Step]) -> list[str]:
    """Files of the package on disk that no step names."""
    named = {file for step in steps for file in step.files}
    on_disk = sorted(
        path.relative_to(root).as_posix()
        for path in (root / SOURCES / PACKAGE).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    return [file for file in on_disk if file not in named]


def check(root: Path) -> int:
    """Rebuild and run every step; print a line for each; return the exit code."""
    steps = load(root)
    failed = False
    with tempfile.TemporaryDirectory(prefix="minisgl-steps-") as folder:
        for number, step in enumerate(steps):
            start = time.monotonic()
            problems = _problems(root, steps, number, Path(folder) / f"step{number + 1}")
            failed = failed or bool(problems)
            word = "FAILED" if problems else "ok"
            seconds = time.monotonic() - start
            print(f"step {number + 1} of {len(steps)}, {step.name}: {word} ({seconds:.1f} s)")
            print("".join(f"  {problem}\n" for problem in problems), end="", flush=True)
    for file in extra_files(root, steps):
        failed = True
        print(f"extra file: {file} belongs to no step")
    print("some steps cannot be rebuilt" if failed else "every step can be rebuilt")
    return FAILED if failed else OK


def _problems(root: Path, steps: list[Step], number: int, folder: Path) -> list[str]:
    """Build step `number` in `folder` and run it; what is wrong with it, in sentences."""
    step = steps[number]
    latest = {file: i for i in range(number + 1) for file in steps[i].files}
    problems = []
    for file, i in latest.items():
        origin = source(root, steps, i, file)
        if origin.is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin, folder / file)
        else:
            missing = origin.relative_to(root).as_posix()
            problems.append(f"missing file: {missing} is in the manifest but not on disk")
    for file in step.files:
        if file.endswith(".py") and (folder / file).is_file():
            problems += _missing_imports(root, folder, file, (folder / file).read_bytes())
    if step.program is not None:
        problems += _missing_imports(root, folder, "its program", step.program)
    return problems or _run(step, folder)


def _missing_imports(root: Path, folder: Path, file: str, text: str | bytes) -> Iterator[str]:
    """A sentence for each import of our package that `folder` cannot satisfy."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:  # ValueError: a zero byte
        yield f"{file} is no Python: {error}"
        return
    for node in ast.walk(tree):
        for module in _imports(root, file, node):
            if module.split(".")[0] == PACKAGE and not _is_module(folder, module):
                yield (
                    f"missing file: {file}, line {node.lineno}, imports {module}, "
                    "which is in no step so far"
                )


def _imports(root: Path, file: str, node: ast.AST) -> Iterator[str]:
    """The full names of the modules that one statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            # reference/minisgl/message/backend.py, one dot: minisgl.message
            package = PurePosixPath(file).parts[1 : -node.level]
            base = ".".join([*package, base] if base else package)
        yield base
        # `from package import name` may mean a module; whether it does, the whole tree knows.
        names = (f"{base}.{alias.name}" for alias in node.names)
        yield from (name for name in names if _is_module(root, name))


def _is_module(folder: Path, module: str) -> bool:
    path = folder.joinpath(SOURCES, *module.split("."))
    return path.is_dir() or path.with_name(f"{path.name}.py").is_file()


def _run(step: Step, folder: Path) -> list[str]:
    # -E and -s keep PYTHONPATH and the user's own packages out. -I would also take away the
    # folder of the program, where `-c` finds the package. -B: nothing is run twice.
    command = [sys.executable, "-E", "-s", "-B"]
    command += ["-c", step.program] if step.run is None else [step.run]
    try:
        done = subprocess.run(
            command,
            cwd=folder / SOURCES if step.run is None else folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        return [f"its program still ran after {LIMIT:g} seconds"]
    if done.returncode:
        tail = "".join(f"\n    {line}" for line in done.stderr.splitlines()[-15:])
        return [f"its program ended with exit code {done.returncode}:{tail}"]
    last = (done.stdout.splitlines() or [""])[-1]
    if step.last_line is not None and last != step.last_line:
        return [f"its program should end with the line {step.last_line!r}, but ends with {last!r}"]
    return []


def show(root: Path) -> int:
    for number, step in enumerate(load(root), 1):
        print(f"{number}. {step.name}")
        for kind, files in (("new", step.new), ("changed", step.changed)):
            print("".join(f"   {kind:8} {file}\n" for file in files), end="")
    return OK


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(
        prog="steps.py",
        description="Rebuild the book's tree step by step, with only the files of each step.",
        epilog="Exit codes: 0 all is well, 1 a step cannot be rebuilt, 2 it could not be checked.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="{check,list}")
    commands.add_parser("check", help="rebuild every step and run its main program")
    commands.add_parser("list", help="show the steps and their files")
    command = parser.parse_args(arguments).command
    try:
        return check(root) if command == "check" else show(root)
    except ManifestError as error:
        print(f"error: {error}", file=sys.stderr)
        return UNUSABLE


if __name__ == "__main__":
    from environment import ensure

    ensure()  # the programs of the steps need torch, msgpack and ZMQ
    sys.exit(main())
