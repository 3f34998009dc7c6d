"""Bytes that arrive at a reference queue: a message or a ValueError, whatever they are."""

from __future__ import annotations

import shutil
import tempfile
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
import zmq
from hypothesis import given, settings
from hypothesis import strategies as st
from minisgl.message import BaseBackendMsg, ExitMsg
from minisgl.utils import ZmqPullQueue
from queue_parts import decoder

pytest_plugins = ["queue_fixtures"]
pytestmark = pytest.mark.usefixtures("limit")

MALFORMED = {
    "nothing": b"",
    "half a list": b"\x92\x01",
    "half a message": b"\x82\xa8__type__\xafAbortBackendMsg\xa3uid",
    "two values": b"\x01\x02",
    "dicts too deep for us": b"\x81\xa1a" * 600 + b"\x01",
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


@pytest.mark.parametrize("raw", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_bytes_take_no_memory(decode, raw):
    """A length is a claim: room is made for what has come, not for what was promised."""
    tracemalloc.start()
    try:
        with pytest.raises(ValueError):
            decode(raw)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


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
