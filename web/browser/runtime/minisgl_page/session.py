"""One run after the other: `host.mjs` calls these, one at a time, from a fiber of the page's own.

Requests and answers are JSON. Each run has a main thread, prints to the page, and leaves nothing
behind for the next one.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import json
import os
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import output, threads, tracebacks
from .bridge import bridge
from .cleaning import ExitFunctions, World
from .errors import Ended
from .install import install
from .scheduler import scheduler
from .time_limit import TimeLimit

FOLDER = "/home/pyodide/program"
STOPPED = 130  # the exit code of a program that Ctrl-C ended


class Session:
    def __init__(self) -> None:
        self._stop, self._signals = install()
        self._exit_code = 0

    def stop(self) -> None:
        """End the run that is on. The page may call this at any moment."""
        self._stop.request()

    def run_program(self, request: str) -> str:
        """Run `{"source", "name", "files": {name: text}}` as `python name` would."""
        wanted = json.loads(request)
        return self._run(lambda: _run_program(wanted), threads.finish_main)

    def grade(self, request: str) -> str:
        """Grade `{"bundle", "source", "seed"}`; results and the verdict are posted as events."""
        wanted = json.loads(request)
        return self._run(lambda: _grade(wanted), lambda: None)

    def _run(self, body: Callable[[], None], finish: Callable[[], None]) -> str:
        started = time.monotonic()
        self._stop.reset()
        self._exit_code = STOPPED  # unless the main thread ends by itself
        world = World(FOLDER)
        printed = output.Output()
        output.install(printed)
        os._exit = self._leave  # type: ignore[assignment]
        scheduler.before_rest = printed.hand_over
        abandoned = 0
        try:
            main = scheduler.begin(lambda: self._main(body, finish), threads.MAIN_IDENT)
            while not main.ended:
                scheduler.park()
            had_others = bool(scheduler.fibers)
            abandoned = main.abandoned + self._stop.end_others()
            if had_others or self._stop.requested:
                # What was broken off is in cycles now. A coroutine that catches everything may go on
                # when it is collected: better here, where that is noticed, than in the next program.
                scheduler.start(_collect)
                abandoned += self._stop.end_others()
            printed.finish()
        finally:
            scheduler.finish()
            scheduler.before_rest = lambda: None
            self._signals.forget()
            world.restore()
        return json.dumps(
            {
                "exitCode": self._exit_code,
                "stopped": self._stop.requested,
                "abandoned": abandoned,
                "dropped": printed.dropped,
                "milliseconds": round((time.monotonic() - started) * 1000, 1),
            }
        )

    def _main(self, body: Callable[[], None], finish: Callable[[], None]) -> None:
        threads.begin_main()
        exit_functions = ExitFunctions()
        code = _exit_code_of(body)
        for last in (finish, exit_functions.run):
            if not self._stop.requested:
                code = _exit_code_of(last) or code
        self._exit_code = STOPPED if self._stop.requested else code

    def _leave(self, code: int, /) -> None:
        """`os._exit`: the program ends here and now, and its threads with it."""
        self._exit_code = int(code)
        main = scheduler.main
        if main is not None and not main.ended:
            scheduler.abandon(main)
        raise SystemExit(code)


def _collect() -> None:
    with contextlib.suppress(Ended):
        gc.collect()


def _exit_code_of(action: Callable[[], None]) -> int:
    try:
        action()
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except BaseException as error:
        tracebacks.show(error)
        return 1
    return 0


def _run_program(wanted: dict[str, Any]) -> None:
    for name, text in {**wanted["files"], wanted["name"]: wanted["source"]}.items():
        path = os.path.join(FOLDER, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    path = os.path.join(FOLDER, wanted["name"])
    module = ModuleType("__main__")
    vars(module).update(__file__=path, __builtins__=builtins, __cached__=None)
    sys.modules["__main__"] = module
    sys.argv[:] = [path, *wanted.get("arguments", [])]
    sys.path.insert(0, os.path.dirname(path))
    exec(compile(wanted["source"], path, "exec", dont_inherit=True), vars(module))


def _grade(wanted: dict[str, Any]) -> None:
    from judge.examiner import page
    from judge.examiner.one_interpreter import OutOfTime
    from judge.verdict import TestResult, Verdict, to_json

    def post(event: str, value: TestResult | Verdict) -> None:
        bridge.post(json.dumps({"event": event, event: json.loads(to_json(value))}))

    verdict = page.grade(
        wanted["bundle"],
        wanted["source"],
        seed=wanted["seed"],
        on_result=lambda result: post("result", result),
        guard=lambda deadline: TimeLimit(scheduler, deadline, OutOfTime),
    )
    post("verdict", verdict)
