"""The end of a reference queue: it comes at once, says what it drops, and harms nobody."""

from __future__ import annotations

import threading
import time

import pytest
from minisgl.message import AbortBackendMsg, ExitMsg
from minisgl.utils import ZmqPullQueue, ZmqPushQueue
from queue_parts import ALL, AT_ONCE, LIMIT, decoder, encoder, identity, python

pytest_plugins = ["queue_fixtures"]
pytestmark = pytest.mark.usefixtures("limit")


@pytest.mark.parametrize(("kind", "coder"), ALL)
@pytest.mark.parametrize("create", [True, False])
def test_stop_returns_and_may_be_repeated(addr, kind, coder, create):
    queue = kind(addr, create, coder)
    start = time.monotonic()
    queue.stop()
    queue.stop()
    assert time.monotonic() - start < AT_ONCE
    kind(addr, True, coder).stop()  # the address is free again


def test_stop_drops_what_nobody_took(made, addr):
    taken = []
    for _ in range(3):
        push = ZmqPushQueue(addr, create=False, encoder=encoder)
        for uid in range(100):
            push.put(AbortBackendMsg(uid))
        start = time.monotonic()
        push.stop()
        taken.append(time.monotonic() - start)
    assert min(taken) < 1.0, "a busy machine is slow now and then, a wait is there each time"
    pull = made(ZmqPullQueue(addr, create=True, decoder=decoder))
    last = made(ZmqPushQueue(addr, create=False, encoder=encoder))
    last.put(AbortBackendMsg(100))
    assert pull.get() == AbortBackendMsg(100) and pull.empty()


def test_stop_with_a_flush_delivers(made, addr):
    pull = made(ZmqPullQueue(addr, create=True, decoder=identity))
    push = ZmqPushQueue(addr, create=False, encoder=identity)
    for uid in range(20):
        push.put({"uid": uid, "load": bytes(100_000)})
    stopping = threading.Thread(target=push.stop, args=(10.0,), daemon=True)
    stopping.start()
    assert [pull.get()["uid"] for _ in range(20)] == list(range(20))
    stopping.join(LIMIT)
    assert not stopping.is_alive()


@pytest.mark.parametrize("seconds", [0.1, 0.0, -1.0])
def test_a_flush_without_a_peer_ends(addr, seconds):
    push = ZmqPushQueue(addr, create=False, encoder=encoder)
    push.put(ExitMsg())
    start = time.monotonic()
    push.stop(flush_seconds=seconds)
    assert max(seconds, 0) * 0.9 <= time.monotonic() - start < AT_ONCE


def test_stop_does_not_wait_for_other_queues(made, addr):
    forgotten = ZmqPushQueue(addr, create=False, encoder=encoder)
    forgotten.put(ExitMsg())
    start = time.monotonic()
    ZmqPushQueue(addr, create=False, encoder=encoder).stop()
    assert time.monotonic() - start < AT_ONCE
    pull = made(ZmqPullQueue(addr, create=True, decoder=decoder))
    assert pull.get() == ExitMsg(), "the other queue is unharmed"
    forgotten.stop()


def test_a_process_ends_though_nobody_stopped_its_queues(addr):
    program = """
import sys
from minisgl.utils import *
keep = [ZmqPushQueue(sys.argv[1], False, dict), ZmqAsyncPullQueue(sys.argv[1], True, dict)]
ZmqPushQueue(sys.argv[1] + "none", False, dict).put({"lost": 1})
keep[0].put({"unsent": bytes(10**7)})
print("end")
"""
    done = python(program, addr)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


@pytest.mark.parametrize("kind", [kind for kind, _ in ALL])
@pytest.mark.parametrize("create", [True, False])
def test_a_queue_in_a_reference_cycle_is_collected(addr, kind, create):
    program = """
import gc, sys
from minisgl import utils

class Worker:
    def __init__(self, kind):
        self.queue = getattr(utils, kind)(sys.argv[2], bool(int(sys.argv[3])), self.code)

    def code(self, value):
        return value

worker = Worker(sys.argv[1])
if sys.argv[1] == "ZmqPushQueue" and sys.argv[3] == "0":
    worker.queue.put("nobody reads this")
del worker
gc.collect()
utils.ZmqPullQueue(sys.argv[2], True, dict).stop()  # so the address is free
print("end")
"""
    done = python(program, kind.__name__, addr, str(int(create)))
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


def test_a_program_ends_quietly_while_another_thread_waits(addr):
    program = """
import sys, threading
from minisgl.utils import *
queue = ZmqPullQueue(sys.argv[1], True, dict)
waits = threading.Event()

def receive():
    waits.set()
    queue.get()

threading.Thread(target=receive, daemon=True).start()
waits.wait()
print("end")
"""
    done = python(program, addr)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
