"""The examiner zygote: imports torch and pytest once, then forks a process per exercise."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys

import _pytest.assertion.rewrite
import _pytest.fixtures
import _pytest.python
import pytest  # noqa: F401

from judge.control import Control
from judge.examiner import session
from judge.sandbox import limits
from judge.sandbox.zygote import warm_up


def main(descriptor: int) -> None:
    """Entry of the zygote's process. `descriptor` is its end of the control connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    sys.dont_write_bytecode = True
    warm_up()
    gc.collect()
    gc.freeze()
    control = Control(socket.socket(fileno=descriptor))
    control.send({"ready": True})
    while True:
        try:
            request, descriptors = control.receive()
        except EOFError:
            return
        pid = os.fork()
        if pid == 0:
            control.close()
            limits.die_with_parent()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            sys.path.insert(0, request["reference"])
            session.main(Control(socket.socket(fileno=descriptors[0])), request["files"])
            os._exit(0)
        for opened in descriptors:
            os.close(opened)
        control.send({"pid": pid})
