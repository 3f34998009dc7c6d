"""The examiner zygote: imports torch and pytest once, then forks a process per exercise."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import shutil
import signal
import socket
import sys
import time
from pathlib import Path

import pytest  # noqa: F401

from judge.control import Control
from judge.examiner import session
from judge.examiner.lean import UNWANTED
from judge.sandbox import cgroups, confine, limits
from judge.sandbox.zygote import warm_up

CLEAN_UP_SECONDS = 3.0


def main(descriptor: int, readable: str) -> None:
    """Entry of the zygote's process.

    `descriptor` is its end of the control connection; `readable` is JSON, the folders Python needs.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in UNWANTED:
        os.environ.pop(name, None)
    sys.dont_write_bytecode = True
    walls = confine.probe(try_namespaces=False, refuse=[])
    warm_up()
    gc.collect()
    gc.freeze()
    control = Control(socket.socket(fileno=descriptor))
    leftovers: list[dict[str, list[str]]] = []
    with contextlib.suppress(OSError):  # closed before it was ever used
        control.send({"ready": True})
    while True:
        try:
            request, descriptors = control.receive()
        except EOFError:
            break
        if "leftovers" in request:
            leftovers.append(request["leftovers"])
            continue
        if "orderly" in request:  # the supervisor ends by itself, and cleans up itself
            leftovers.clear()
            continue
        try:
            pid = os.fork()
        except OSError as error:  # the machine has no room for another process
            for opened in descriptors:
                os.close(opened)
            control.send({"error": f"fork: {error}"})
            continue
        if pid == 0:
            control.close()
            limits.die_with_parent()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            sys.path.insert(0, request["reference"])
            connection = Control(socket.socket(fileno=descriptors[0]))
            session.main(connection, request, session.Confinement(walls, json.loads(readable)))
            os._exit(0)
        for opened in descriptors:
            os.close(opened)
        control.send({"pid": pid})
    clean_up(leftovers)
    # Not through the end of the interpreter, which takes torch apart for a quarter of a second.
    os._exit(0)


def clean_up(leftovers: list[dict[str, list[str]]]) -> None:
    """Remove what the sandboxes left, once their processes are gone; usually nothing is there."""
    end = time.monotonic() + CLEAN_UP_SECONDS
    groups = [Path(group) for left in leftovers for group in left["groups"]]
    while any(group.exists() for group in groups) and time.monotonic() < end:
        cgroups.remove_all(groups)
        time.sleep(0.02)
    for left in leftovers:
        for folder in left["folders"]:
            shutil.rmtree(folder, ignore_errors=True)
