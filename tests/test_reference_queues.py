"""The reference queues on real ZMQ sockets. Every wait has a limit; none is a sleep that hopes."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import zmq
from hypothesis import given, settings
from hypothesis import strategies as st
from minisgl.core import SamplingParams
from minisgl.message import AbortBackendMsg, BaseBackendMsg, BatchBackendMsg, ExitMsg, UserMsg
from minisgl.utils import (
    ZmqAsyncPullQueue,
    ZmqAsyncPushQueue,
    ZmqPubQueue,
    ZmqPullQueue,
    ZmqPushQueue,
    ZmqSubQueue,
)
from minisgl.utils.mp import IPC_PATH_LIMIT

REFERENCE = Path(__file__).resolve().parent.parent / "reference"
LIMIT = 20.0  # seconds for a whole test
AT_ONCE = 5.0  # seconds that "returns at once" may take on a busy machine

encoder, decoder = BaseBackendMsg.encoder, BaseBackendMsg.decoder


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    """End a test that waits for ever, naming the line where it waits."""

    def give_up(*_: Any) -> None:
        raise TimeoutError(f"the test still waits after {LIMIT} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def folder() -> Iterator[str]:
    path = tempfile.mkdtemp(prefix="msgl-", dir="/tmp")
    yield path
    shutil.rmtree(path)


@pytest.fixture
def addr(folder: str) -> str:
    return f"ipc://{folder}/a"


@pytest.fixture
def made() -> Iterator[Any]:
    """`made(queue)` returns the queue and stops it after the test."""
    with contextlib.ExitStack() as stack:

        def keep(queue: Any) -> Any:
            stack.callback(queue.stop)
            return queue

        yield keep


def identity(data: Any) -> Any:
    return data


def user(uid: int) -> UserMsg:
    return UserMsg(uid, torch.tensor([uid, 1, 2], dtype=torch.int32), SamplingParams())


def python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(
        command, cwd=REFERENCE, capture_output=True, text=True, timeout=LIMIT, check=False
    )


# --- one to one -----------------------------------------------------------------------------------


@pytest.mark.parametrize("pull_binds", [True, False])
def test_push_pull_keeps_the_order(made, addr, pull_binds):
    pull = made(ZmqPullQueue(addr, pull_binds, decoder))
    push = made(ZmqPushQueue(addr, not pull_binds, encoder))
    assert pull.empty()
    for uid in range(500):
        push.put(user(uid))
    received = [pull.get() for _ in range(500)]
    assert [msg.uid for msg in received] == list(range(500))
    assert received[7].input_ids.tolist() == [7, 1, 2]
    assert pull.empty()


def test_what_crosses_is_plain_msgpack(made, addr):
    context = zmq.Context()
    with context, context.socket(zmq.PULL) as raw:
        raw.linger = 0
        raw.bind(addr)
        push = made(ZmqPushQueue(addr, create=False, encoder=encoder))
        push.put(AbortBackendMsg(7))
        assert raw.recv() == b"\x82\xa8__type__\xafAbortBackendMsg\xa3uid\x07"


def test_get_raw_and_decode_are_get_in_two_steps(made, addr):
    pull = made(ZmqPullQueue(addr, create=True, decoder=decoder))
    push = made(ZmqPushQueue(addr, create=False, encoder=encoder))
    push.put(ExitMsg())
    raw = pull.get_raw()
    assert raw == b"\x81\xa8__type__\xa7ExitMsg"
    assert pull.decode(raw) == ExitMsg()


def test_primitive_keys_and_large_integers_cross(made, addr):
    pull = made(ZmqPullQueue(addr, create=True, decoder=identity))
    push = made(ZmqPushQueue(addr, create=False, encoder=identity))
    sent = {1: "a", None: 2**64 - 1, b"k": -(2**63), "": b"\xff"}
    push.put(sent)
    assert pull.get() == sent


MALFORMED = {
    "nothing": b"",
    "half a list": b"\x92\x01",
    "half a message": b"\x82\xa8__type__\xafAbortBackendMsg\xa3uid",
    "two values": b"\x01\x02",
    "a list of two thousand million": b"\xdd\x7f\xff\xff\xff",
    "no text": b"\xa1\xff",
    "an unused code": b"\xc1",
    "a list as key": b"\x81\x90\x01",
    "too deep for us": b"\x91" * 600 + b"\x01",
    "too deep for msgpack": b"\x91" * 5000 + b"\x01",
    "a timestamp": b"\xd6\xff\x00\x00\x00\x00",
    "no message": b"\x01",
    "an unknown name": b"\x81\xa8__type__\xa5print",
}


@pytest.mark.parametrize("raw", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_bytes_are_a_value_error_and_the_queue_goes_on(made, addr, raw):
    pull = made(ZmqPullQueue(addr, create=True, decoder=decoder))
    with pytest.raises(ValueError, match=r"no msgpack message: .|^message: .|is no message"):
        pull.decode(raw)
    context = zmq.Context()
    with context, context.socket(zmq.PUSH) as push:
        push.linger = 0
        push.connect(addr)
        push.send(raw)
        push.send(b"\x81\xa8__type__\xa7ExitMsg")
        with pytest.raises(ValueError):
            pull.get()
        assert pull.get() == ExitMsg()


@pytest.fixture(scope="module")
def decode() -> Iterator[Any]:
    """The `decode` of a queue that nothing is ever sent to."""
    folder = tempfile.mkdtemp(prefix="msgl-", dir="/tmp")
    queue = ZmqPullQueue(f"ipc://{folder}/a", create=True, decoder=decoder)
    yield queue.decode
    queue.stop()
    shutil.rmtree(folder)


def accepted_or_value_error(decode: Any, raw: bytes) -> None:
    try:
        assert isinstance(decode(raw), BaseBackendMsg)
    except ValueError as error:
        assert str(error)


laws = settings(deadline=None, max_examples=300, database=None)


@laws
@given(raw=st.binary(max_size=64))
def test_any_bytes_are_a_message_or_a_value_error(decode, raw):
    accepted_or_value_error(decode, raw)


SOUND = b"".join(
    [
        b"\x82\xa8__type__\xafBatchBackendMsg\xa4data\x92\x84\xa8__type__\xa7UserMsg\xa3uid\x07",
        b"\xa9input_ids\x83\xa8__type__\xa6Tensor\xa6buffer\xc4\x04abcd\xa5dtype\xabtorch.int32",
        b"\xafsampling_params\x81\xa8__type__\xaeSamplingParams\x81\xa8__type__\xa7ExitMsg",
    ]
)


@laws
@given(where=st.integers(0, len(SOUND)), cut=st.integers(0, 4), put=st.binary(max_size=4))
def test_a_damaged_message_is_a_message_or_a_value_error(decode, where, cut, put):
    assert len(decode(SOUND).data) == 2
    accepted_or_value_error(decode, SOUND[:where] + put + SOUND[where + cut :])


# --- one to many ----------------------------------------------------------------------------------


def test_rank_0_forwards_the_bytes_that_it_received(made, folder):
    pull = made(ZmqPullQueue(f"ipc://{folder}/in", create=True, decoder=decoder))
    push = made(ZmqPushQueue(f"ipc://{folder}/in", create=False, encoder=encoder))
    pub = made(ZmqPubQueue(f"ipc://{folder}/out", create=True, encoder=encoder))
    subs = [made(ZmqSubQueue(f"ipc://{folder}/out", False, decoder)) for _ in range(2)]
    with zmq.Context() as context, context.socket(zmq.SUB) as witness:
        witness.linger = 0
        witness.subscribe(b"")
        witness.connect(f"ipc://{folder}/out")
        pub.wait_for_subscribers(3, timeout=10)
        push.put(BatchBackendMsg([user(7)]))
        raw = pull.get_raw()
        pub.put_raw(raw)
        assert witness.recv() == raw
    assert [sub.get().data[0].uid for sub in subs] == [7, 7]
    assert pull.decode(raw).data[0].uid == 7
    assert all(sub.empty() for sub in subs)


def test_nothing_is_lost_after_wait_for_subscribers(made, addr):
    count = 5000  # with the load, more than ZMQ's default limits and the kernel can hold
    pub = made(ZmqPubQueue(addr, create=True, encoder=identity))
    subs = [made(ZmqSubQueue(addr, create=False, decoder=identity)) for _ in range(2)]
    pub.wait_for_subscribers(2, timeout=10)
    for number in range(count):
        pub.put([number, bytes(2000)])
    for sub in subs:
        assert [sub.get()[0] for _ in range(count)] == list(range(count))
        assert sub.empty()


def test_a_subscriber_that_binds_announces_itself_in_get(made, addr):
    sub = made(ZmqSubQueue(addr, create=True, decoder=decoder))
    pub = made(ZmqPubQueue(addr, create=False, encoder=encoder))
    received: list[Any] = []
    getting = threading.Thread(target=lambda: received.append(sub.get()), daemon=True)
    getting.start()
    pub.wait_for_subscribers(1, timeout=10)
    pub.put(ExitMsg())
    getting.join(10)
    assert received == [ExitMsg()]


def test_a_subscriber_may_be_there_before_the_publisher(made, addr):
    sub = made(ZmqSubQueue(addr, create=False, decoder=decoder))
    pub = made(ZmqPubQueue(addr, create=True, encoder=encoder))
    pub.wait_for_subscribers(1, timeout=10)
    pub.put(ExitMsg())
    assert sub.get() == ExitMsg()


def test_wait_for_subscribers_counts_from_the_beginning(made, addr):
    pub = made(ZmqPubQueue(addr, create=True, encoder=encoder))
    pub.wait_for_subscribers(0)
    made(ZmqSubQueue(addr, create=False, decoder=decoder))
    pub.wait_for_subscribers(1, timeout=10)
    pub.wait_for_subscribers(1, timeout=0)
    with pytest.raises(TimeoutError, match=r"1 of 2 subscribers after 0\.05 seconds"):
        pub.wait_for_subscribers(2, timeout=0.05)
    made(ZmqSubQueue(addr, create=False, decoder=decoder))
    pub.wait_for_subscribers(2, timeout=10)


def test_wait_for_subscribers_without_a_timeout_waits(made, addr):
    pub = made(ZmqPubQueue(addr, create=True, encoder=encoder))
    late = threading.Timer(0.1, lambda: made(ZmqSubQueue(addr, False, decoder)))
    late.start()
    pub.wait_for_subscribers(1)
    late.join(LIMIT)


# --- the end --------------------------------------------------------------------------------------

ALL = [
    (ZmqPushQueue, encoder),
    (ZmqAsyncPushQueue, encoder),
    (ZmqPullQueue, decoder),
    (ZmqAsyncPullQueue, decoder),
    (ZmqPubQueue, encoder),
    (ZmqSubQueue, decoder),
]


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


# --- addresses ------------------------------------------------------------------------------------


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


# --- in an event loop -----------------------------------------------------------------------------


def test_async_queues_let_other_tasks_run(made, addr):
    async def work() -> list[Any]:
        pull = made(ZmqAsyncPullQueue(addr, create=True, decoder=decoder))
        push = made(ZmqAsyncPushQueue(addr, create=False, encoder=encoder))
        getting = asyncio.create_task(pull.get())
        await asyncio.sleep(0)
        assert not getting.done(), "the loop goes on while get() waits"
        await push.put(user(7))
        first = await asyncio.wait_for(getting, LIMIT)
        await asyncio.gather(*(push.put(AbortBackendMsg(uid)) for uid in range(50)))
        rest = [await asyncio.wait_for(pull.get(), LIMIT) for _ in range(50)]
        return [first.uid, *(msg.uid for msg in rest)]

    assert asyncio.run(work()) == [7, *range(50)]


def test_async_and_plain_queues_understand_each_other(made, folder):
    to_loop, from_loop = f"ipc://{folder}/to", f"ipc://{folder}/from"
    push = made(ZmqPushQueue(to_loop, create=True, encoder=encoder))
    pull = made(ZmqPullQueue(from_loop, create=True, decoder=decoder))

    async def server() -> None:
        inbox = made(ZmqAsyncPullQueue(to_loop, create=False, decoder=decoder))
        outbox = made(ZmqAsyncPushQueue(from_loop, create=False, encoder=encoder))
        push.put(user(3))
        await outbox.put(await asyncio.wait_for(inbox.get(), LIMIT))

    asyncio.run(server())
    assert pull.get().input_ids.tolist() == [3, 1, 2]


def test_async_stop_ends_a_waiting_get(addr):
    async def work() -> None:
        pull = ZmqAsyncPullQueue(addr, create=True, decoder=decoder)
        getting = asyncio.create_task(pull.get())
        await asyncio.sleep(0)
        pull.stop()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(getting, LIMIT)

    asyncio.run(work())


def test_malformed_bytes_reach_an_async_get_as_a_value_error(made, addr):
    async def work() -> None:
        pull = made(ZmqAsyncPullQueue(addr, create=True, decoder=decoder))
        push = made(ZmqAsyncPushQueue(addr, create=False, encoder=lambda _: {1: 2}))
        await push.put(None)
        with pytest.raises(ValueError, match="no message"):
            await asyncio.wait_for(pull.get(), LIMIT)

    asyncio.run(work())
