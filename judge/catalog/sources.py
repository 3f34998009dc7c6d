"""What the catalogue reads out of Python files. They are parsed and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec

from judge.catalog.complaints import Complaints

_BLOCK_START = "# /// wrong"
_BLOCK_END = "# ///"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class FoundTest(msgspec.Struct, frozen=True):
    """A name that pytest would collect. `title` is None if there is no docstring."""

    name: str
    title: str | None
    source: str
    line: int


def parse(path: Path, source: str, complaints: Complaints) -> ast.Module | None:
    """The syntax tree; None after a complaint."""
    try:
        tree = ast.parse(source)
        # Parsing lets pass what only compiling refuses, such as a `return` outside of a function.
        compile(tree, path.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        column = "" if error.offset is None else f", column {error.offset}"
        problem = f"not Python: {error.msg}{column}"
        complaints.add(path, problem, "write valid Python", line=error.lineno)
    except ValueError as error:  # a null byte
        complaints.add(path, f"not Python: {error}", "write valid Python")
    except (RecursionError, MemoryError):
        complaints.add(path, "not Python: nested too deeply", "write simpler code")
    else:
        return tree
    return None


def top_level_names(tree: ast.Module) -> frozenset[str]:
    """The names that running the module would define, as far as its text shows them."""
    names: set[str] = set()
    for node in _module_level(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                names.update(a.asname or a.name.partition(".")[0] for a in node.names)
            case ast.Assign():
                names.update(name for target in node.targets for name in _assigned(target))
            case ast.AnnAssign(value=ast.expr()):
                names.update(_assigned(node.target))
    return frozenset(names)


def find_tests(
    path: Path, source: str, tree: ast.Module, complaints: Complaints
) -> list[FoundTest]:
    """The tests of a file in their order, also those that are refused, after a complaint."""
    lines = source.split("\n")
    tests: list[FoundTest] = []

    def refuse(node: _Function, problem: str, mend: str) -> None:
        complaints.add(path, problem, mend, key=node.name, line=node.lineno)

    def add(node: _Function) -> None:
        title = (ast.get_docstring(node) or "").partition("\n")[0].strip() or None
        # A function's own line is that of its `def`: what learners are shown begins above it.
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        text = "\n".join(lines[first - 1 : node.end_lineno]) + "\n"
        if title is None:
            refuse(node, "no docstring", "add one: its first line is the test's English title")
        if any(test.name == node.name for test in tests):
            refuse(node, "a second test of this name in the file", "give each test its own name")
        tests.append(FoundTest(node.name, title, text, node.lineno))

    at_top = set(tree.body)
    for node in _module_level(tree):
        if isinstance(node, ast.ClassDef):
            for method in filter(_is_collected, node.body):
                mend = f"move it out of {node.name}: a test is a top-level function"
                refuse(method, "a test inside a class", mend)
                add(method)
        elif _is_collected(node):
            if not node.name.startswith("test_"):
                mend = "rename it: a test begins with test_, nothing else with test"
                refuse(node, "pytest would run this as a test", mend)
                continue
            if node not in at_top:
                refuse(node, "a test inside a block", "move it to the top level of the file")
            add(node)
    return tests


def metadata_block(source: str) -> tuple[str, int] | str:
    """The TOML text of a wrong solution's block and its first line's number, or what is wrong."""
    lines = [line.rstrip() for line in source.split("\n")]
    start = next((number for number, line in enumerate(lines) if line), 0)
    if lines[start] != _BLOCK_START:
        return "no metadata block at the top"
    block = []
    for line in lines[start + 1 :]:
        if line == _BLOCK_END:
            return "\n".join(block), start + 2
        if line != "#" and not line.startswith("# "):
            break
        block.append(line[2:])
    return f"the metadata block is not closed by a line `{_BLOCK_END}`"


def _is_collected(node: ast.stmt) -> bool:
    return isinstance(node, _Function) and node.name.startswith("test")


def _assigned(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _module_level(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements outside of functions and classes, also those in `if`, `try` and the like."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif not isinstance(child, ast.excepthandler | ast.match_case):
            continue
        if not isinstance(child, _Function | ast.ClassDef):
            yield from _module_level(child)
