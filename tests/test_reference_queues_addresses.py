"""Addresses of the reference queues: too long, missing, taken, left behind."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sys
from pathlib import Path

import pytest
import zmq
from minisgl.message import ExitMsg
from minisgl.utils import ZmqPubQueue, ZmqPullQueue, ZmqPushQueue
from minisgl.utils.mp import IPC_PATH_LIMIT
from queue_parts import ALL, decoder, encoder, python

pytest_plugins = ["queue_fixtures"]
pytestmark = pytest.mark.usefixtures("limit")


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize(("letter", "size"), [("x", 1), ("é", 2)])
def test_the_longest_path_works_and_one_more_byte_is_refused(made, folder, create, letter, size):
    room = IPC_PATH_LIMIT - len(folder) - 1
    longest = f"ipc://{folder}/{letter * (room // size)}{'x' * (room % size)}"
    made(ZmqPullQueue(longest, create, decoder))
    pattern = rf"has {IPC_PATH_LIMIT + 1} bytes.*limit is {IPC_PATH_LIMIT}"
    with pytest.raises(ValueError, match=pattern):
        ZmqPullQueue(f"{longest}x", create, decoder)


def test_the_limit_is_the_systems():
    assert (103 if sys.platform == "darwin" else 107) == IPC_PATH_LIMIT
    assert zmq.IPC_PATH_MAX_LEN == IPC_PATH_LIMIT


def test_binding_names_the_missing_folder(folder):
    with pytest.raises(FileNotFoundError) as caught:
        ZmqPubQueue(f"ipc://{folder}/none/a", create=True, encoder=encoder)
    assert caught.value.filename == f"{folder}/none"
    assert f"{folder}/none" in str(caught.value)


def test_connecting_to_a_missing_folder_harms_nobody(folder):
    queue = ZmqPullQueue(f"ipc://{folder}/none/a", create=False, decoder=decoder)
    assert queue.empty()
    queue.stop()


@pytest.mark.parametrize(("kind", "coder"), ALL)
def test_binding_where_somebody_listens_is_refused(made, addr, kind, coder):
    pull = made(ZmqPullQueue(addr, create=True, decoder=decoder))
    for _ in range(3):
        with pytest.raises(OSError, match="another queue is bound here") as caught:
            kind(addr, True, coder)
        assert caught.value.errno == errno.EADDRINUSE
        assert caught.value.filename == addr.removeprefix("ipc://")
    push = made(ZmqPushQueue(addr, create=False, encoder=encoder))
    push.put(ExitMsg())
    assert pull.get() == ExitMsg(), "the first keeps its address"


def test_binding_where_a_busy_server_listens_is_refused(addr):
    """A server that accepts nobody any more refuses the probe in another way, but it lives."""
    path = addr.removeprefix("ipc://")
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(socket.socket(socket.AF_UNIX))
        server.bind(path)
        server.listen(0)
        for _ in range(3):
            caller = stack.enter_context(socket.socket(socket.AF_UNIX))
            caller.setblocking(False)
            caller.connect_ex(path)
        with pytest.raises(OSError, match="another queue is bound here"):
            ZmqPullQueue(addr, create=True, decoder=decoder)


def test_the_socket_file_of_a_killed_process_does_not_matter(made, addr):
    program = """
import os, signal, sys
from minisgl.utils import ZmqPullQueue
queue = ZmqPullQueue(sys.argv[1], True, dict)
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert python(program, addr).returncode == -signal.SIGKILL
    assert os.path.exists(addr.removeprefix("ipc://"))
    push = made(ZmqPushQueue(addr, create=False, encoder=encoder))
    pull = made(ZmqPullQueue(addr, create=True, decoder=decoder))
    push.put(ExitMsg())
    assert pull.get() == ExitMsg()


def test_a_file_that_is_no_socket_is_left_alone(folder):
    path = Path(folder, "notes.txt")
    path.write_text("mine")
    with pytest.raises(FileExistsError, match=r"no socket.*notes\.txt"):
        ZmqPullQueue(f"ipc://{path}", create=True, decoder=decoder)
    assert path.read_text() == "mine"


def test_what_zmq_refuses_is_its_own_error():
    with pytest.raises(zmq.ZMQError, match="nonsense"):
        ZmqPullQueue("nonsense", create=False, decoder=decoder)
