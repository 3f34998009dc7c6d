"""The reference queues on real ZMQ sockets: one to one, and one to many. Every wait has a limit."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import zmq
from minisgl.message import AbortBackendMsg, BatchBackendMsg, ExitMsg
from minisgl.utils import ZmqPubQueue, ZmqPullQueue, ZmqPushQueue, ZmqSubQueue
from queue_parts import LIMIT, decoder, encoder, identity, user

pytest_plugins = ["queue_fixtures"]
pytestmark = pytest.mark.usefixtures("limit")

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
