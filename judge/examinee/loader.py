"""Modules imported from memory: the learner's file and the part of the tree it may see."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType


class Source:
    """One module's text. `display` is the file name that tracebacks show."""

    def __init__(self, text: str, display: str, is_package: bool) -> None:
        self.text, self.display, self.is_package = text, display, is_package


class MemoryFinder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds and loads the given modules before anything on disk is asked."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self._sources = sources
        for source in sources.values():
            remember_lines(source.display, source.text)

    def install(self) -> None:
        """Forget modules of these names from before, then serve them from memory."""
        roots = {name.partition(".")[0] for name in self._sources}
        # A fork that has none does not look through all modules: to touch is to copy their pages.
        if any(root in sys.modules for root in roots):
            for name in [n for n in sys.modules if n.partition(".")[0] in roots]:
                del sys.modules[name]
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Serve no more, and forget what was served: modules and lines."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        for name, source in self._sources.items():
            sys.modules.pop(name, None)
            linecache.cache.pop(source.display, None)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        source = self._sources.get(fullname)
        if source is None:
            return None
        spec = importlib.machinery.ModuleSpec(
            fullname, self, origin=source.display, is_package=source.is_package
        )
        spec.has_location = True
        return spec

    def get_source(self, fullname: str) -> str:
        return self._sources[fullname].text

    def is_package(self, fullname: str) -> bool:
        return self._sources[fullname].is_package

    def get_code(self, fullname: str) -> CodeType:
        source = self._sources[fullname]
        return compile(source.text, source.display, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        for name in self._sources:
            parent, _, child = name.rpartition(".")
            if parent == module.__name__ and name in sys.modules:
                # Loaded ahead of its package, which therefore does not know it yet.
                setattr(module, child, sys.modules[name])
        exec(self.get_code(module.__name__), module.__dict__)


def remember_lines(display: str, text: str) -> None:
    """Let tracebacks and `inspect.getsource` find the lines of a file that is not on disk."""
    linecache.cache[display] = (len(text), None, text.splitlines(keepends=True), display)
