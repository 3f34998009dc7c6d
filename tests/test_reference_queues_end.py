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


def test_stop_drops_what_nobody_took(addr):
    push = ZmqPushQueue(addr, create=False, encoder=encoder)
    for uid in range(100):
        push.put(AbortBackendMsg(uid))
    start = time.monotonic()
    push.stop()
    assert time.monotonic() - start < AT_ONCE


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
