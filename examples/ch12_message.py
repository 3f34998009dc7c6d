"""Chapter 12: one message from object to bytes and back, then through PUSH/PULL and XPUB/SUB.

Run it from anywhere: `python examples/ch12_message.py`.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "reference"))

try:
    import msgpack
    import torch
except ModuleNotFoundError:
    # Started by a Python that lacks them: make the checkout's own one ready, and go on in it.
    sys.path.insert(0, str(ROOT / "tools"))
    from environment import ensure

    ensure()
    raise
from minisgl.core import SamplingParams
from minisgl.message import BaseBackendMsg, BatchBackendMsg, UserMsg
from minisgl.utils import ZmqPubQueue, ZmqPullQueue, ZmqPushQueue, ZmqSubQueue

LIMIT = 30.0  # seconds; no wait of this program is longer


def user_msg(uid: int) -> UserMsg:
    input_ids = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    return UserMsg(uid, input_ids, SamplingParams(temperature=0.6, max_tokens=64))


def wait_for_message(queue: ZmqPullQueue | ZmqSubQueue) -> None:
    """`get` waits for ever if nobody sends, so look first, and give up in the end."""
    deadline = time.monotonic() + LIMIT
    while queue.empty():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no message within {LIMIT} seconds")
        time.sleep(0.001)


def object_to_bytes_and_back() -> None:
    encoded = BatchBackendMsg([user_msg(7)]).encoder()
    print(f"encoder(): {encoded}")

    raw = msgpack.packb(encoded, use_bin_type=True)
    print(f"msgpack: {len(raw)} bytes")

    batch = BaseBackendMsg.decoder(msgpack.unpackb(raw, raw=False))
    user = batch.data[0]
    print(f"uid: {user.uid}")
    print(f"input_ids: {user.input_ids}")
    print(f"sampling_params: {user.sampling_params}")


def push_pull(addr: str) -> None:
    """The tokenizer, here a thread, sends three messages to the scheduler."""

    def tokenizer() -> None:
        push = ZmqPushQueue(addr, create=False, encoder=BaseBackendMsg.encoder)
        for uid in range(3):
            push.put(user_msg(uid))
        push.stop(flush_seconds=LIMIT)  # a plain stop() may drop what was put just now

    pull = ZmqPullQueue(addr, create=True, decoder=BaseBackendMsg.decoder)
    thread = threading.Thread(target=tokenizer, daemon=True)
    thread.start()
    uids = []
    for _ in range(3):
        wait_for_message(pull)
        uids.append(pull.get().uid)
    thread.join(LIMIT)
    print(f"PULL received: {uids}")
    print(f"PULL is empty: {pull.empty()}")
    pull.stop()


def publish_subscribe(pull_addr: str, pub_addr: str) -> None:
    """Rank 0 pulls raw bytes and publishes the same bytes to two other ranks."""
    push = ZmqPushQueue(pull_addr, create=False, encoder=BaseBackendMsg.encoder)
    pull = ZmqPullQueue(pull_addr, create=True, decoder=BaseBackendMsg.decoder)
    pub = ZmqPubQueue(pub_addr, create=True, encoder=BaseBackendMsg.encoder)
    ranks = [ZmqSubQueue(pub_addr, create=False, decoder=BaseBackendMsg.decoder) for _ in range(2)]
    pub.wait_for_subscribers(len(ranks), timeout=LIMIT)

    push.put(user_msg(7))
    wait_for_message(pull)
    raw = pull.get_raw()
    pub.put_raw(raw)  # forward first: the other ranks need not wait while rank 0 decodes
    pull.decode(raw)

    uids = []
    for rank in ranks:
        wait_for_message(rank)
        uids.append(rank.get().uid)
    print(f"SUBs received: {uids}")
    for queue in (push, pull, pub, *ranks):
        queue.stop()


def main() -> None:
    # Directly under /tmp: the path of a socket may have only about a hundred bytes.
    folder = tempfile.mkdtemp(prefix=f"minisgl-{os.getpid()}-", dir="/tmp")
    try:
        object_to_bytes_and_back()
        push_pull(f"ipc://{folder}/tokens")
        publish_subscribe(f"ipc://{folder}/rank0", f"ipc://{folder}/ranks")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
