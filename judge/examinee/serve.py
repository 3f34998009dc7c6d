"""Answers the examiner's requests, one at a time.

A request is a dict with `id` and `op`; the reply has the same `id` and one of `value`, `raised`,
`absent`, `unsendable` or `running`. See `OPERATIONS` for the ops.
"""

from __future__ import annotations

import asyncio
import dataclasses
import difflib
import faulthandler
import functools
import importlib.util
import inspect
import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from judge import wire
from judge.examinee.loader import MemoryFinder, Source, remember_lines

MAX_TEXT = 2000
MAX_FRAMES = 12


class Absent(Exception):
    """The learner's file lacks a name, or has something else under it."""

    def __init__(self, name: str, why: str, close: list[str]) -> None:
        super().__init__(name)
        self.reply = {"name": name, "why": why, "close": close}


class Started:
    """A probe that runs in a thread of its own."""

    def __init__(self, function: Callable[..., Any], arguments: list[Any]) -> None:
        self.outcome: dict[str, Any] | None = None
        self._function, self._arguments = function, arguments
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.outcome = outcome_of(lambda: run_probe(self._function, self._arguments))


class Examinee:
    """The learner's module and what a test has put beside it."""

    def __init__(self) -> None:
        self._decoder = wire.Decoder(self._resolve_class, trusted=True)
        self._made_classes: dict[tuple[str, str, tuple[str, ...]], type] = {}
        self._started: dict[int, Started] = {}
        self._module: ModuleType | None = None
        self._finder: MemoryFinder | None = None
        self._here = SimpleNamespace()

    def answer(self, structure: bytes, attachments: bytes) -> bytes:
        """The reply to one request, both as frames."""
        request = self._decoder.decode(structure, attachments)
        operation = OPERATIONS[request["op"]]
        reply = {"id": request["id"], **outcome_of(lambda: operation(self, request))}
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:  # closed, replaced or broken by the learner: their affair
                continue
        try:
            return wire.Encoder().encode(reply)
        except wire.NotPlainData as problem:
            where = problem.where.removeprefix("['value']")
            refusal = {"where": where[:200], "what": problem.what[:MAX_TEXT]}
            return wire.Encoder().encode({"id": request["id"], "unsendable": refusal})
        except Exception as error:  # a value whose own methods misbehave while it is read
            return wire.Encoder().encode({"id": request["id"], "raised": describe(error)})

    def _resolve_class(self, module: str, qualname: str, fields: tuple[str, ...]) -> type:
        """The tree's own class, or for a class of a test file one with the same name and fields."""
        key = (module, qualname, fields)
        if key not in self._made_classes:
            self._made_classes[key] = self._import_class(module, qualname) or _make_class(*key)
        return self._made_classes[key]

    def _import_class(self, module: str, qualname: str) -> type | None:
        if not module.startswith("minisgl"):
            return None
        try:
            return getattr(importlib.import_module(module), qualname, None)
        except ModuleNotFoundError:  # one that this exercise does not show
            return None

    def beside(self) -> Examinee:
        """Another examinee around the same loaded module, for an interpreter that holds several."""
        other = Examinee()
        other._module = self._module
        return other

    def unload(self) -> None:
        """Forget the loaded module and its tree, so that the interpreter can load another."""
        if self._finder is not None:
            self._finder.remove()

    # --- operations ---------------------------------------------------------------------------

    def load(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """Import the learner's module; the names it should define and does not, or not as callables."""
        sources = {name: Source(*rest) for name, rest in request["sources"].items()}
        self._finder = MemoryFinder(sources)
        self._finder.install()
        self._module = self._load_first(self._finder, request["module"])
        problems = []
        for name in request["provides"]:
            try:
                self._callable(name)
            except Absent as absent:
                problems.append(absent.reply)
        return problems

    def _load_first(self, finder: MemoryFinder, name: str) -> ModuleType:
        """Load the learner's module ahead of its package.

        The package's `__init__` may import more from it than the exercise asks for; a name that is
        missing would surface there, as an ImportError in a file that the learner has never seen.
        """
        module = importlib.util.module_from_spec(finder.find_spec(name, None))
        sys.modules[name] = module
        finder.exec_module(module)
        return module

    def call(self, request: dict[str, Any]) -> Any:
        """Call a name of the learner's module, or `module:qualname` of the tree."""
        function = self._callable(request["target"])
        return function(*request["arguments"], **request["keywords"])

    def run(self, request: dict[str, Any]) -> Any:
        """Run a probe and wait for it."""
        return run_probe(self._probe(request), [self._here, *request["arguments"]])

    def start(self, request: dict[str, Any]) -> int:
        """Run a probe in a thread; the number to ask for it by."""
        arguments = [self._here, *request["arguments"]]
        self._started[request["id"]] = Started(self._probe(request), arguments)
        return request["id"]

    def wait(self, request: dict[str, Any]) -> bool:
        """Whether a started probe has ended, after at most `seconds`."""
        started = self._started[request["number"]]
        started.thread.join(request["seconds"])
        return started.outcome is not None

    def result(self, request: dict[str, Any]) -> Any:
        """A started probe's result, or what it raised."""
        return Finished(self._started[request["number"]].outcome)

    def reset(self, request: dict[str, Any]) -> bool:
        """Begin a new test: an empty `here`. False if a started probe still runs."""
        running = any(s.outcome is None for s in self._started.values())
        self._started.clear()
        self._here = SimpleNamespace(module=self._module)
        return not running

    # --- helpers ------------------------------------------------------------------------------

    def _callable(self, target: str) -> Callable[..., Any]:
        module, _, path = target.rpartition(":")
        value: Any = importlib.import_module(module) if module else self._module
        for name in path.split("."):
            if not hasattr(value, name):
                close = difflib.get_close_matches(name, [n for n in dir(value) if n[0] != "_"], 2)
                raise Absent(target, "missing", close)
            value = getattr(value, name)
        if not callable(value):
            raise Absent(target, f"of type {wire.type_name(type(value))}", [])
        return value

    def _probe(self, request: dict[str, Any]) -> FunctionType:
        """Compile the probe's source in a namespace of its own, at its line of the test file."""
        padding = "\n" * (request["line"] - 1)
        remember_lines(request["file"], padding + request["source"])
        namespace: dict[str, Any] = {"__name__": "probe"}
        exec(_compiled(padding + request["source"], request["file"]), namespace)
        return namespace[request["name"]]


@functools.lru_cache(64)
def _compiled(source: str, file: str) -> CodeType:
    return compile(source, file, "exec", dont_inherit=True)


OPERATIONS: dict[str, Callable[[Examinee, dict[str, Any]], Any]] = {
    "load": Examinee.load,
    "call": Examinee.call,
    "run": Examinee.run,
    "start": Examinee.start,
    "wait": Examinee.wait,
    "result": Examinee.result,
    "reset": Examinee.reset,
}


class Finished:
    """An outcome that is already a reply."""

    def __init__(self, reply: dict[str, Any] | None) -> None:
        self.reply = reply or {"raised": describe(RuntimeError("the probe has not ended"))}


def outcome_of(action: Callable[[], Any]) -> dict[str, Any]:
    """Run `action`; what it gives or raises, as a reply."""
    try:
        value = action()
    except Absent as absent:
        return {"absent": absent.reply}
    except (
        BaseException
    ) as error:  # SystemExit, pytest's Skipped and the like are the learner's too
        return {"raised": describe(error)}
    return value.reply if isinstance(value, Finished) else {"value": value}


def run_probe(function: Callable[..., Any], arguments: list[Any]) -> Any:
    if inspect.iscoroutinefunction(function):
        return asyncio.run(function(*arguments))
    return function(*arguments)


def describe(error: BaseException) -> dict[str, Any]:
    """An exception as plain data: its type, the names of its bases, its text, the frames it passed."""
    try:
        text = str(error)
    except BaseException as broken:  # an exception whose own __str__ raises
        text = f"<its text cannot be read: {type(broken).__name__}>"
    frames = [
        [f.filename[-200:], f.lineno or 0, f.name[:200], (f.line or "")[:200]]
        for f in traceback.extract_tb(error.__traceback__)
    ]
    described = {
        "type": type(error).__name__[:200],
        "bases": [cls.__name__[:200] for cls in type(error).__mro__][:20],
        "text": text[:MAX_TEXT],
        "frames": frames[-MAX_FRAMES:],
    }
    said = [getattr(error, "en", None), getattr(error, "zh", None)]
    if all(isinstance(text, str) for text in said):  # as errors of the page's own runtime
        described["said"] = [text[:MAX_TEXT] for text in said]
    if isinstance(error, SyntaxError):
        line = error.text if isinstance(error.text, str) else ""
        described["syntax"] = [
            str(error.filename)[-200:],
            error.lineno or 0,
            error.offset or 0,
            line[:500],
            str(error.msg),
        ]
    return described


def _make_class(module: str, qualname: str, fields: tuple[str, ...]) -> type:
    made = dataclasses.make_dataclass(qualname.rpartition(".")[2], fields)
    made.__module__, made.__qualname__ = module, qualname
    return made


def report_stacks_to(trace: int) -> None:
    """On SIGUSR1 write where every thread stands to the descriptor `trace`, even from a blocking call."""
    faulthandler.register(signal.SIGUSR1, file=trace, all_threads=True)


def main(rpc: int) -> None:
    """Serve on the socket with descriptor `rpc`, then leave without running anything of the learner's."""
    try:
        connection, frames, examinee = socket.socket(fileno=rpc), wire.FrameReader(), Examinee()
        while data := connection.recv(1 << 16):
            frames.feed(data)
            while (frame := frames.next_frame()) is not None:
                connection.sendall(examinee.answer(*frame))
    finally:
        os._exit(0)
