"""After a program everything is as before it, so that the next one finds a fresh Python.

What a module's names are bound to is put back, for all modules that were there; modules that came
are dropped if they are the learner's, and kept if they are installed ones (they cost time to load).
Values changed in place, such as a list of a library's, are the program's affair.
"""

from __future__ import annotations

import atexit
import contextlib
import linecache
import logging
import operator
import os
import shutil
import sys
import traceback
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import descriptors, frames, loop, recursion, sockets, threads
from .tracebacks import hide_runtime

_OURS = ("minisgl_page", "minisgl_page_zmq", "_minisgl_page_host")
_TEMPORARY = "/tmp"


class World:
    """Python as it was when this was made. `restore` may be called once."""

    def __init__(self, folder: str) -> None:
        """`folder` becomes the working directory, and is removed in the end."""
        self._folder = folder
        self._before = os.getcwd()
        self._environment = dict(os.environ)
        self._modules = dict(sys.modules)
        self._names = {
            name: dict(vars(module))
            for name, module in sys.modules.items()
            if isinstance(module, ModuleType) and name.partition(".")[0] not in _OURS
        }
        self._lists = [
            (values, list(values))
            for values in (sys.path, sys.argv, sys.meta_path, sys.path_hooks, warnings.filters)
        ]
        self._recursion = sys.getrecursionlimit()
        self._root = logging.root.level, list(logging.root.handlers)
        self._searched = set(sys.path_importer_cache)
        self._files = set(os.listdir(_TEMPORARY))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        os.chdir(folder)

    def restore(self) -> None:
        """Call this when no thread of the program is left."""
        sys.settrace(None)
        sys.setprofile(None)
        recursion.setrecursionlimit(self._recursion)  # the name in `sys` may be the program's
        _end_zmq()
        self._restore_modules()
        for values, content in self._lists:
            values[:] = content  # type: ignore[index]
        warnings._filters_mutated()  # type: ignore[attr-defined]
        logging.root.setLevel(self._root[0])
        logging.root.handlers[:] = self._root[1]
        logging.disable(logging.NOTSET)
        for name in set(os.environ) - set(self._environment):
            del os.environ[name]
        os.environ.update(self._environment)
        loop.begin()
        threads.forget()
        descriptors.forget()
        frames.forget()
        sockets.forget()
        self._restore_files()

    def _restore_modules(self) -> None:
        for name, module in list(sys.modules.items()):
            if name not in self._modules and not _is_installed(module):
                del sys.modules[name]
        sys.modules.update(self._modules)
        for name, names in self._names.items():
            now = vars(self._modules[name])
            if len(now) == len(names) and all(map(operator.is_, now.values(), names.values())):
                continue  # as almost always
            for each in [n for n in now if n not in names]:
                if not isinstance(now[each], ModuleType):  # a module that came stays where it is
                    del now[each]
            for each, value in names.items():
                if now.get(each, now) is not value:
                    now[each] = value

    def _restore_files(self) -> None:
        os.chdir(self._before)
        shutil.rmtree(self._folder, ignore_errors=True)
        for name in set(os.listdir(_TEMPORARY)) - self._files:
            path = os.path.join(_TEMPORARY, name)
            with contextlib.suppress(OSError):
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    os.unlink(path)
        for name in [n for n in linecache.cache if n.startswith(self._folder)]:
            del linecache.cache[name]
        for path in set(sys.path_importer_cache) - self._searched:
            del sys.path_importer_cache[path]


def _is_installed(module: Any) -> bool:
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        return file.startswith("/lib/")
    # A namespace package has no file; what is built in has an origin that says so.
    origin = getattr(getattr(module, "__spec__", None), "origin", None)
    return origin in ("built-in", "frozen")


def _end_zmq() -> None:
    """Close what the program left open, if it used ZMQ at all."""
    if "minisgl_page_zmq" not in sys.modules:
        return
    from minisgl_page_zmq import ending

    ending.end_all()
    for name in ("zmq", "zmq.asyncio"):
        module = sys.modules.get(name)
        if module is not None:
            vars(module)["Context"]._instance = None


class ExitFunctions:
    """What the learner's code registers with `atexit` in one run. What a library does, stays there.

    `cleaning.World` gives `atexit` its own functions back.
    """

    def __init__(self) -> None:
        self._calls: list[tuple[Any, Callable[[], Any]]] = []
        self._register, self._unregister = atexit.register, atexit.unregister
        atexit.register, atexit.unregister = self.register, self.unregister

    def register(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        if frames.owner(sys._getframe(1)) is not frames.Owner.LEARNER:
            return self._register(function, *arguments, **named)
        self._calls.append((function, lambda: function(*arguments, **named)))
        return function

    def unregister(self, function: Any, /) -> None:
        self._calls = [entry for entry in self._calls if entry[0] != function]
        self._unregister(function)

    def run(self) -> None:
        """The last one registered first; an error of one does not stop the others."""
        while self._calls:
            function, call = self._calls.pop()
            try:
                call()
            except SystemExit:
                raise
            except Exception as error:
                hide_runtime(error)
                print(f"Exception ignored in atexit callback: {function!r}", file=sys.stderr)
                traceback.print_exception(error)
