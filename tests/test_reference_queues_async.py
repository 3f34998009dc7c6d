"""The reference queues in an event loop: waiting lets other tasks run."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import msgpack
import pytest
from minisgl.message import AbortBackendMsg
from minisgl.utils import (
    ZmqAsyncPullQueue,
    ZmqAsyncPushQueue,
    ZmqPubQueue,
    ZmqPullQueue,
    ZmqPushQueue,
    ZmqSubQueue,
)
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


def test_a_cancelled_get_takes_no_message(made, addr):
    async def work() -> list[int]:
        pull = made(ZmqAsyncPullQueue(addr, create=True, decoder=decoder))
        push = made(ZmqAsyncPushQueue(addr, create=False, encoder=encoder))
        waits, in_line = (asyncio.create_task(pull.get()) for _ in range(2))
        await asyncio.sleep(0)
        for getting in (in_line, waits):
            getting.cancel()
        await asyncio.wait([waits, in_line])
        assert waits.cancelled() and in_line.cancelled()
        await asyncio.gather(*(push.put(AbortBackendMsg(uid)) for uid in range(3)))
        return [(await pull.get()).uid for _ in range(3)]

    assert asyncio.run(work()) == [0, 1, 2]


def test_a_get_cancelled_when_a_message_wakes_it_takes_none(made, addr):
    async def work() -> tuple[int, list[int]]:
        pull = made(ZmqAsyncPullQueue(addr, create=True, decoder=decoder))
        push = made(ZmqPushQueue(addr, create=False, encoder=encoder))
        getting = asyncio.create_task(pull.get())
        await asyncio.sleep(0)
        push.put(AbortBackendMsg(0))  # without a pause in which `getting` could run unseen
        cancelled = 0
        while not getting.done():
            # What the task awaits is done, and it has not run since: it is woken, not yet awake.
            awaited = getattr(getting, "_fut_waiter", None)
            if awaited is not None and awaited.done():
                cancelled += getting.cancel()
                await asyncio.wait([getting])
            await asyncio.sleep(0)
        push.put(AbortBackendMsg(1))
        return cancelled, [(await pull.get()).uid for _ in range(2)]

    assert asyncio.run(work()) == (1, [0, 1])


def test_others_have_a_turn_in_every_put_and_get(made, addr):
    async def work() -> tuple[list[int], list[int]]:
        pull = made(ZmqAsyncPullQueue(addr, create=True, decoder=decoder))
        push = made(ZmqAsyncPushQueue(addr, create=False, encoder=encoder))
        turns = 0

        async def take_turns() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async def turns_in(action: Coroutine[Any, Any, Any]) -> int:
            before = turns
            await action
            return turns - before

        other = asyncio.create_task(take_turns())
        await push.put(user(0))
        await pull.get()  # from here on the two are connected, and nothing needs to be waited for
        in_puts = [await turns_in(push.put(user(uid))) for uid in range(20)]
        in_gets = [await turns_in(pull.get()) for _ in range(20)]
        other.cancel()
        return in_puts, in_gets

    in_puts, in_gets = asyncio.run(work())
    assert min(in_puts) > 0, "`put` pauses although there is room"
    assert min(in_gets) > 0, "`get` pauses although messages wait"


def test_a_rank_gets_the_bytes_that_an_async_scheduler_forwards(made, folder):
    into, out = f"ipc://{folder}/in", f"ipc://{folder}/out"
    pub = made(ZmqPubQueue(out, create=True, encoder=encoder))
    sub = made(ZmqSubQueue(out, create=False, decoder=decoder))
    pub.wait_for_subscribers(1, timeout=LIMIT)

    async def rank_0() -> None:
        pull = made(ZmqAsyncPullQueue(into, create=True, decoder=decoder))
        push = made(ZmqAsyncPushQueue(into, create=False, encoder=encoder))
        await push.put(user(7))
        pub.put(await asyncio.wait_for(pull.get(), LIMIT))

    asyncio.run(rank_0())
    raw = sub.get_raw()
    assert raw == msgpack.packb(encoder(user(7)))
    assert sub.decode(raw).uid == 7
    pub.put_raw(b"\xc1 is no msgpack")
    assert sub.get_raw() == b"\xc1 is no msgpack"
    assert sub.empty()
