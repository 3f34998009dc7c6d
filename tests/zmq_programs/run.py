"""Run every program of this folder and print {name: lines} as JSON. Ends whatever still waits.

    python run.py [NAME...]

A program is a function `program(w: World)` that says lines. The same lines must come from real
libzmq and from the page's stand-in, so a program says nothing that libzmq leaves to chance.
"""

from __future__ import annotations

import errno
import importlib
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zmq

PARTS = ("addresses", "blocking", "ending", "loops", "publishing", "requests_replies", "threads")
LIMIT = 6.0  # seconds for one program


class World:
    """What a program gets: a context, a folder for ipc files, and a way to speak."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.context = zmq.Context()
        self.lines: list[str] = []
        # Kept, so that they are closed at the end and without lingering, not by the collector.
        self.sockets: list[zmq.Socket] = []

    def say(self, *values: Any) -> None:
        self.lines.append(" ".join(map(str, values)))

    def address(self, name: str) -> str:
        return f"ipc://{self.folder}/{name}"

    def socket(self, kind: int, **options: int | bytes) -> zmq.Socket:
        socket = self.context.socket(kind)
        self.sockets.append(socket)
        for name, value in options.items():
            socket.set(getattr(zmq, name), value)
        return socket

    def attempt(self, label: str, action: Callable[..., Any], *arguments: Any) -> Any:
        """Say what `action` returned, or its error by class and number."""
        try:
            result = action(*arguments)
        except zmq.ZMQError as error:
            self.say(label, type(error).__name__, name_of(error))
        except Exception as error:
            self.say(label, type(error).__name__)
        else:
            known = isinstance(result, bytes | int | list | type(None))
            self.say(label, result if known else "fine")
            return result

    def ready(self, socket: zmq.Socket, events: int = zmq.POLLIN, limit: int = 4000) -> None:
        """Wait until `socket` has one of `events`."""
        if not socket.poll(limit, events):
            self.say("NOTHING HAPPENED")
            raise TimeoutError

    def all_in(self, socket: zmq.Socket) -> list[bytes]:
        """What has come, and comes within a moment."""
        received = []
        while socket.poll(60):
            received.append(socket.recv())
        return received


def name_of(error: zmq.ZMQError) -> str:
    """ZMQ's own errors have names of their own; the others those of the system."""
    return errno.errorcode.get(error.errno) or zmq.Errno(error.errno).name


def run(program: Callable[[World], None]) -> list[str]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="z") as folder:
        world = World(folder)

        def guarded() -> None:
            try:
                program(world)
            except BaseException as error:
                world.say("ended by", type(error).__name__, error)

        def clean() -> None:
            world.context.destroy(linger=0)

        for step, target in (("STILL WAITS", guarded), ("CANNOT END", clean)):
            thread = threading.Thread(target=target, daemon=True)
            thread.start()
            thread.join(LIMIT)
            if thread.is_alive():
                world.say(step)
                break
        return world.lines


def main(wanted: list[str]) -> None:
    results: dict[str, list[str]] = {}
    sys.path.insert(0, str(Path(__file__).parent))
    for part in PARTS:
        module = importlib.import_module(part)
        for name, function in list(vars(module).items()):
            if getattr(function, "__module__", None) != part or name.startswith("_"):
                continue
            if not wanted or name in wanted:
                started = time.monotonic()
                results[f"{part}.{name}"] = run(function)
                print(f"{time.monotonic() - started:5.2f} {part}.{name}", file=sys.stderr)
    print(json.dumps({"backend": zmq.backend.Socket.__module__, "programs": results}), flush=True)
    os._exit(0)  # a program that still waits must not keep this process


if __name__ == "__main__":
    main(sys.argv[1:])
