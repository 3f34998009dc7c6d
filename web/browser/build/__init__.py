"""The build of the page's Python: one folder that a browser, or Node, can load without a network.

    python -m web.browser.build [--output FOLDER]

`ensure_runtime` returns at once when nothing has changed since the last build. Else it fetches what
`recipe.toml` names, checks it, packs our own wheels, compiles everything, and puts the folder in place.
`manifest.json` in it says what it holds. It never leaves half a folder, and two builds wait for each other.
"""

from __future__ import annotations

from pathlib import Path

from .console import Console, Language
from .errors import BuildError
from .folder import is_current
from .plan import make_plan
from .recipe import ROOT

__all__ = ["RUNTIME", "BuildError", "ensure_runtime"]

CACHE = ROOT / ".cache" / "page"
RUNTIME = CACHE / "runtime"
SET_UP = "python3 tools/environment.py --page"


def ensure_runtime(output: Path = RUNTIME, language: Language | None = None) -> Path:
    """The folder with the page's Python, made or brought up to date if need be.

    What is being done is told on standard error, in `language` (by default the environment's); nothing is
    said when nothing is to do. Raises `BuildError` with a reason in both languages.
    """
    output = output.absolute()
    plan = make_plan()
    if is_current(output, plan.inputs):
        return output
    try:
        from .work import build  # only when there is something to do: it is slow to import
    except ModuleNotFoundError as missing:
        raise BuildError(
            f"the package {missing.name} is not installed. Start with: {SET_UP}",
            f"没有安装软件包 {missing.name}。请先运行：{SET_UP}",
        ) from None
    build(plan, output, CACHE, Console(language))
    return output
