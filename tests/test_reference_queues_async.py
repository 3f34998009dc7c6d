"""The reference queues in an event loop: waiting lets other tasks run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from minisgl.message import AbortBackendMsg
from minisgl.utils import ZmqAsyncPullQueue, ZmqAsyncPushQueue, ZmqPullQueue, ZmqPushQueue
from queue_parts import LIMIT, decoder, encoder, user

pytest_plugins = ["queue_fixtures"]
pytestmark = pytest.mark.usefixtures("limit")


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
