"""Byte-compiling, with the very Python that will run it: Pyodide, under Node.

pyodide-build could do it too, but only on a Python 3.12, which many machines lack, and it would bring many
packages. Node is needed anyway, Pyodide is there already, and its own compiler writes bytecode that fits by
construction. So there is one way, and it works everywhere.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

from web.browser.node import NodeMissing, find_node

from .downloads import node_is_missing
from .errors import BuildError
from .recipe import HERE, PYTHON

SITE_PACKAGES = f"/lib/python{PYTHON}/site-packages/"  # where Pyodide unpacks wheels
STDLIB = f"/lib/python{PYTHON.replace('.', '')}.zip/"  # where it has its standard library
SECONDS = 300.0  # takes about five; a very busy machine may need a minute


def compile_trees(pyodide: Path, folder: Path, trees: Mapping[str, str]) -> None:
    """Write a `.pyc` beside each `.py` of `folder/NAME` for each NAME of `trees`.

    `pyodide` is a folder with Pyodide's core. The values of `trees` are the paths that the files will have
    in the page. Raises `BuildError` if Node is missing or a file cannot be compiled.
    """
    try:
        node = find_node()
    except NodeMissing as missing:
        raise BuildError(*node_is_missing(missing)) from None
    request = folder / "request.json"
    request.write_text(json.dumps(trees), encoding="utf-8")
    files = [HERE / "compile.mjs", pyodide, folder, HERE / "compile_inside.py", request]
    command = [str(node.program), *map(str, files)]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        text = f"no end after {SECONDS:g} s"
    else:
        if done.returncode == 0:
            return
        lines = done.stderr.strip().splitlines()[-15:]
        # A crash of Node quotes the line of Pyodide where it happened, and that is a megabyte long.
        text = "\n".join(f"  | {line[:200]}" for line in lines)
    raise BuildError(
        f"Pyodide could not compile the page's Python files:\n{text}",
        f"Pyodide 未能编译网页中的 Python 文件：\n{text}",
    )
