"""Who gets a turn, what a cancelled task leaves behind, and how a queue ends."""

import msgpack
import zmq

from judge.kit import assert_same, check


def open_pull(here, address, create=False):
    here.pull = here.module.ZmqAsyncPullQueue(address, create, lambda data: data["body"])
    here.module.__dict__.setdefault("opened", []).append(here.pull)  # see `stop`


def open_push(here, address, create=False):
    here.push = here.module.ZmqAsyncPushQueue(address, create, lambda message: {"body": message})
    here.module.__dict__.setdefault("opened", []).append(here.push)  # see `stop`


def open_bell(here, address):
    """A plain socket with which a probe tells the test how far it has come."""
    import zmq

    here.bell = zmq.Context.instance().socket(zmq.PUSH)
    here.bell.linger = 0  # what rings after the test's end keeps nothing alive
    here.bell.connect(address)


async def get(here, count):
    return [await here.pull.get() for _ in range(count)]


async def put(here, messages):
    for message in messages:
        await here.push.put(message)


async def put_beside_a_heart(here, message):
    """Begin a `put`, send three beats, tell whether it waits, and wait for it."""
    import asyncio

    putting = asyncio.ensure_future(here.push.put(message))
    for _ in range(3):
        await asyncio.sleep(0.0005)
        here.bell.send(b"beat")
    here.bell.send(b"ended" if putting.done() else b"waits")
    await putting


async def put_and_count_turns(here, count):
    """For each of `count` messages, how many turns another task had while it was put."""
    import asyncio

    turns = 0

    async def take_turns():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.ensure_future(take_turns())
    counted = []
    for number in range(count):
        before = turns
        await here.push.put(number)
        counted.append(turns - before)
    other.cancel()
    return counted


def wait_asleep(here, side, arguments):
    """Run one `get` or `put`; ring when the loop goes to sleep until something happens."""
    import asyncio
    import selectors

    class Selector(selectors.DefaultSelector):
        def select(self, timeout=None):
            if timeout is None:  # nothing is ready, and no clock will wake the loop
                here.bell.send(b"asleep")
            return super().select(timeout)

    async def wait():
        queue = getattr(here, side)
        return await (queue.put if side == "push" else queue.get)(*arguments)

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(Selector())) as runner:
        return runner.run(wait())


async def cancel_before_a_message(here):
    """Cancel a `get` that waits in vain, ring, and get the two messages that come then."""
    import asyncio

    getting = asyncio.ensure_future(here.pull.get())
    for _ in range(5):
        await asyncio.sleep(0)
    getting.cancel()
    await asyncio.wait([getting])
    here.bell.send(b"cancelled")
    return [getting.cancelled(), await here.pull.get(), await here.pull.get()]


async def cancel_until_the_end(here):
    """After a first message begin a `get` and cancel it after no turn, one, two, …, until "end".

    All it got after the first.
    """
    import asyncio
    import itertools

    await here.pull.get()
    got = []
    for turns in itertools.cycle(range(8)):
        getting = asyncio.ensure_future(here.pull.get())
        for _ in range(turns):
            await asyncio.sleep(0)
        getting.cancel()
        await asyncio.wait([getting])
        if not getting.cancelled():
            got.append(getting.result())
        if got[-1:] == ["end"]:
            return got


async def cancel_when_woken(here):
    """Cancel a `get` after a message has woken it, and before it runs; then get until the end."""
    import asyncio

    got = []
    getting = asyncio.ensure_future(here.pull.get())
    for _ in range(5):
        await asyncio.sleep(0)
    here.bell.send(b"waits")
    while not getting.done():
        awaited = getattr(getting, "_fut_waiter", None)
        if awaited is not None and awaited.done():
            getting.cancel()
            await asyncio.wait([getting])
        await asyncio.sleep(0)
    if not getting.cancelled():
        got.append(getting.result())
    while got[-1:] != ["end"]:
        got.append(await here.pull.get())
    return got


async def cancel_the_first_that_is_woken(here):
    """Two tasks get. Cancel the first that a message has woken, before it runs; ring when one has it.

    What the two got.
    """
    import asyncio

    getting = [asyncio.ensure_future(here.pull.get()) for _ in range(2)]
    for _ in range(5):
        await asyncio.sleep(0)
    here.bell.send(b"all wait")
    cancelled = False
    while not any(task.done() for task in getting):
        for task in getting:
            awaited = getattr(task, "_fut_waiter", None)
            if not cancelled and awaited is not None and awaited.done():
                cancelled = task.cancel()
        await asyncio.sleep(0)
    while all(task.cancelled() for task in getting if task.done()):
        await asyncio.wait([task for task in getting if not task.done()])
    here.bell.send(b"served")
    for task in getting:
        task.cancel()
    await asyncio.wait(getting)
    return [task.result() for task in getting if not task.cancelled()]


async def get_in_tasks(here, count):
    """Begin so many `get` at once, ring when one is done, and wait for all; what they got."""
    import asyncio

    getting = [asyncio.ensure_future(here.pull.get()) for _ in range(count)]
    for _ in range(5):
        await asyncio.sleep(0)
    here.bell.send(b"all wait")
    await asyncio.wait(getting, return_when=asyncio.FIRST_COMPLETED)
    for _ in range(5):
        await asyncio.sleep(0)
    here.bell.send(b"done: %d" % sum(task.done() for task in getting))
    return sorted(await asyncio.gather(*getting))


async def get_in_tasks_at_every_turn(here, address, messages):
    """A task per message gets; a first one comes, and the rest after five turns, six, seven, eight.

    They are sent from this loop, and another task blocks it until they have come: so they come between
    two turns. What the tasks of the last round got; None if a task has waited for a second.
    """
    import asyncio
    import gc
    import select
    import time
    import types

    import msgpack
    import zmq

    peer = zmq.Context.instance().socket(zmq.PUSH)
    peer.linger = 0
    peer.connect(address)
    descriptors, parts = [], [here.pull]
    for part in parts:  # it grows: what the queue holds, and what that holds
        if isinstance(part, zmq.Socket):
            descriptors.append(zmq.Socket.get(part, zmq.FD))
        elif len(parts) < 1000 and not isinstance(
            part, (type, types.FunctionType, types.ModuleType)
        ):
            parts += gc.get_referents(part)

    def send(messages):
        """Send and block until a socket of the queue, if one is found, has news. Take no notice of it."""
        for message in messages:
            peer.send(msgpack.packb({"body": message}))
        select.select(descriptors, [], [], 0.002 if descriptors else 0)
        time.sleep(0.0003)

    send(["begin"])
    await here.pull.get()
    for turns in range(5, 9):
        getting = [asyncio.ensure_future(here.pull.get()) for _ in messages]
        for _ in range(5):
            await asyncio.sleep(0)
        send(messages[:1])
        for _ in range(turns):
            await asyncio.sleep(0)
        send(messages[1:])
        done, waiting = await asyncio.wait(getting, timeout=1.0)
        got = sorted(task.result() for task in done)
        if waiting:
            got = None
            break
    peer.close()
    return got


async def put_in_tasks(here, first, more):
    """Begin to put the `first`, and as soon as one of them is sent, `more`, each in a task."""
    import asyncio

    putting = [asyncio.ensure_future(here.push.put(message)) for message in first]
    for _ in range(5):
        await asyncio.sleep(0)
    here.bell.send(b"ended" if any(task.done() for task in putting) else b"all wait")
    await asyncio.wait(putting, return_when=asyncio.FIRST_COMPLETED)
    for message in more:
        putting.append(asyncio.ensure_future(here.push.put(message)))
        await asyncio.sleep(0)
    await asyncio.gather(*putting)


async def stop_under_a_get(here):
    """Stop the queue while a task waits in `get`; how that task ends within a second."""
    import asyncio

    getting = asyncio.ensure_future(here.pull.get())
    for _ in range(5):
        await asyncio.sleep(0)
    here.pull.stop()
    await asyncio.wait([getting], timeout=1.0)
    if not getting.done():
        return "waits"
    return "ended" if getting.cancelled() or getting.exception() else "returned"


async def stop(here, side):
    """Stop the queue `here.pull` or `here.push`.

    Until then it is kept, also when a test fails: Python may not collect an asyncio socket, because
    it can meet the context first, which waits for the socket.
    """
    queue = getattr(here, side)
    queue.stop()
    here.module.opened.remove(queue)


async def stop_and_forget(here):
    import gc

    queue, here.push = here.push, None
    queue.stop()
    here.module.opened.remove(queue)
    del queue
    gc.collect()


def packed(message):
    return msgpack.packb({"body": message}, use_bin_type=True)


def check_rings(bell, expected, *, en, zh):
    check(not bell.nothing_arrives(1.0) and bell.receive() == expected, en=en, zh=zh)


def with_bell(learner, queues):
    """The test's end of the bell that `open_bell` makes."""
    bell = queues.bind(zmq.PULL)
    learner.run(open_bell, bell.address)
    return bell


LOST = {
    "en": "A `get` that was cancelled has taken a message with it. At which `await` can a task be "
    "cancelled while it holds one?",
    "zh": "被取消的 `get` 带走了一条消息。任务手里拿着消息时，可能在哪个 `await` 处被取消？",
}
BLOCKED = {
    "en": "The event loop stands still while your queue waits.",
    "zh": "你的队列在等待时，整个事件循环停住了。",
}


def test_heart_beats_while_put_waits(learner, queues, rng):
    """A heartbeat goes on while `put` waits for a receiver, and nothing is lost"""
    message = rng.randrange(1000)
    address, bell = queues.address(), with_bell(learner, queues)
    learner.run(open_push, address, True)
    running = learner.start(put_beside_a_heart, message)
    for _ in range(3):
        check_rings(bell, b"beat", **BLOCKED)
    check_rings(
        bell,
        b"waits",
        en="`put` returns although nobody is there yet to take the message.",
        zh="还没有人来接收消息，`put` 就返回了。",
    )
    assert_same(queues.connect(zmq.PULL, address).receive(), packed(message))
    running.result()
    learner.run(stop, "push")


def test_others_run_while_much_is_put(learner, queues):
    """Other tasks get their turns although there is always room for one more message"""
    peer = queues.bind(zmq.PULL)
    learner.run(open_push, peer.address)
    counted = learner.run(put_and_count_turns, 20)
    check(
        min(counted) >= 1,
        en="A task that puts one message after the other keeps all other tasks from running. Does "
        "your `put` pause although it need not wait?",
        zh="一个任务连续放入消息时，其他任务都没有机会运行。不需要等待时，你的 `put` 会不会暂停一下？",
    )
    assert_same([peer.receive() for _ in counted], [packed(number) for number in range(20)])
    learner.run(stop, "push")


def test_waiting_get_sleeps(learner, queues, rng):
    """A loop in which only a `get` waits sleeps until the message comes"""
    message = rng.randrange(1000)
    bell, peer = with_bell(learner, queues), queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    running = learner.start(wait_asleep, "pull", [])
    check_rings(
        bell,
        b"asleep",
        en="The event loop never goes to sleep while `get` waits. Does it ask again and again?",
        zh="`get` 等待时，事件循环从不休眠。它是不是在一遍遍地询问？",
    )
    peer.send(packed(message))
    assert_same(running.result(), message)
    learner.run(stop, "pull")


def test_waiting_put_sleeps(learner, queues, rng):
    """A loop in which only a `put` waits sleeps until a receiver comes"""
    message = rng.randrange(1000)
    bell, address = with_bell(learner, queues), queues.address()
    learner.run(open_push, address, True)
    running = learner.start(wait_asleep, "push", [message])
    check_rings(
        bell,
        b"asleep",
        en="The event loop never goes to sleep while `put` waits. Does it ask again and again?",
        zh="`put` 等待时，事件循环从不休眠。它是不是在一遍遍地询问？",
    )
    assert_same(queues.connect(zmq.PULL, address).receive(), packed(message))
    running.result()
    learner.run(stop, "push")


def test_cancelled_before_a_message(learner, queues, rng):
    """A `get` that was cancelled takes no message that comes later"""
    messages = rng.sample(range(1000), 3)
    bell, peer = with_bell(learner, queues), queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    running = learner.start(cancel_before_a_message)
    check_rings(
        bell,
        b"cancelled",
        en="A task that waits in `get` cannot be cancelled.",
        zh="在 `get` 里等待的任务无法取消。",
    )
    for message in messages:  # the third is for who has lost the first
        peer.send(packed(message))
    assert_same(running.result(), [True, *messages[:2]], **LOST)
    learner.run(stop, "pull")


def test_cancelled_at_every_turn(learner, queues):
    """Messages are waiting: a cancelled `get` leaves its message to the next"""
    address, messages = queues.address(), [*range(30), "end"]
    peer = queues.connect(zmq.PUSH, address)
    # Sent before anybody is there, so that all arrive at once; the second end is for who has lost
    # the first.
    for message in ["begin", *messages, "end"]:
        peer.send(packed(message))
    learner.run(open_pull, address, True)
    assert_same(learner.run(cancel_until_the_end), messages, **LOST)
    learner.run(stop, "pull")


def test_cancelled_when_woken(learner, queues, rng):
    """Message and cancellation come together: the message is left to the next `get`"""
    message = rng.randrange(1000)
    bell, peer = with_bell(learner, queues), queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    running = learner.start(cancel_when_woken)
    check_rings(bell, b"waits", **BLOCKED)
    peer.send(packed(message))
    peer.send(packed("end"))
    assert_same(running.result(), [message, "end"], **LOST)
    learner.run(stop, "pull")


def test_left_to_one_who_waits(learner, queues, rng):
    """The message of a cancelled `get` goes to a `get` that waits already"""
    message = rng.randrange(1000)
    bell, peer = with_bell(learner, queues), queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    running = learner.start(cancel_the_first_that_is_woken)
    check_rings(bell, b"all wait", **BLOCKED)
    peer.send(packed(message))
    check_rings(
        bell,
        b"served",
        en="A `get` was cancelled, and another one waits, but none of them gets the message. Has the first "
        "taken it along, or left it where the other does not look?",
        zh="一个 `get` 被取消了，另一个正在等待，消息却没有到任何一个手里。是前一个把它带走了，还是放在了后一个"
        "不会去看的地方？",
    )
    got = running.result()
    check(message in got, **LOST)
    learner.run(stop, "pull")


def test_one_message_for_many(learner, queues):
    """Four tasks wait in `get`: one message serves one of them, and the others go on waiting"""
    bell, peer = with_bell(learner, queues), queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    running = learner.start(get_in_tasks, 4)
    check_rings(bell, b"all wait", **BLOCKED)
    peer.send(packed(0))
    check_rings(
        bell,
        b"done: 1",
        en="One message is there and four tasks wait in `get`. Exactly one of them should end; the others "
        "have nothing yet.",
        zh="来了一条消息，四个任务在 `get` 里等待。应当恰好有一个结束，其他的还什么都没有。",
    )
    for number in (1, 2, 3):
        peer.send(packed(number))
    running.result()
    learner.run(stop, "pull")


def test_many_tasks_get(learner, queues, rng):
    """Tasks wait in `get` four at a time, and each gets one of four messages"""
    messages = sorted(rng.sample(range(1000), 4))
    address = queues.address()
    learner.run(open_pull, address, True)
    got = learner.run(get_in_tasks_at_every_turn, address, messages)
    check(
        got is not None,
        en="Four messages are there and four tasks wait in `get`, but one of them never hears of its "
        "message.",
        zh="来了四条消息，四个任务在 `get` 里等待，其中一个却一直不知道自己的消息到了。",
    )
    assert_same(got, messages)
    learner.run(stop, "pull")


def test_many_tasks_put(learner, queues):
    """Many tasks are in `put`, and their messages arrive in the order of the calls"""
    bell, address = with_bell(learner, queues), queues.address()
    learner.run(open_push, address, True)
    running = learner.start(put_in_tasks, list(range(20)), list(range(20, 25)))
    check_rings(
        bell,
        b"all wait",
        en="Nobody is there to take a message, but a `put` has returned, or the whole event loop stands "
        "still.",
        zh="还没有人来接收消息，却有 `put` 返回了，或者整个事件循环停住了。",
    )
    peer = queues.connect(zmq.PULL, address)
    received = [msgpack.unpackb(peer.receive())["body"] for _ in range(25)]
    assert_same(
        received,
        list(range(25)),
        en="The messages do not arrive in the order in which the tasks have called `put`.",
        zh="消息到达的顺序，不是各个任务调用 `put` 的顺序。",
    )
    running.result()
    learner.run(stop, "push")


def test_text_and_bytes_are_told_apart(learner, queues, rng):
    """`put` packs text as text and bytes as bytes"""
    messages = [rng.randbytes(40), "字" * 40, {"ids": [1, -1, 2.5, None, True]}]
    peer = queues.bind(zmq.PULL)
    learner.run(open_push, peer.address)
    learner.run(put, messages)
    assert_same(
        [peer.receive() for _ in messages],
        [packed(message) for message in messages],
        en="The bytes of `put` are not those of msgpack, made of `encoder(obj)` with "
        "use_bin_type=True.",
        zh="`put` 发出的字节，与 msgpack 以 use_bin_type=True 打包 `encoder(obj)` 的结果不同。",
    )
    learner.run(stop, "push")


def test_get_unpacks_every_type(learner, queues, rng):
    """`get` gives text as text, bytes as bytes, and dicts with numbers as keys"""
    messages = [rng.randbytes(40), "字" * 40, [1, -1, 2.5, None, True], {rng.randrange(99): "a"}]
    peer = queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    for message in messages:
        peer.send(packed(message))
    assert_same(learner.run(get, len(messages)), messages)
    learner.run(stop, "pull")


def test_stop_ends_a_waiting_get(learner, queues):
    """`stop` ends a `get` that still waits, with an exception"""
    learner.run(open_pull, queues.bind(zmq.PUSH).address)
    ending = learner.start(stop_under_a_get).result()
    check(
        ending == "ended",
        en=f"After `stop`, a task that waited in `get` does not end with an exception: it {ending}.",
        zh="`stop` 之后，在 `get` 里等待的任务没有以异常结束：要么还在等，要么正常返回了。",
    )


def test_nothing_is_left_behind(learner, queues):
    """After `stop` nothing is left that blocks the process later"""
    learner.run(open_push, queues.address())
    learner.run(put, ["nobody reads this"] * 3)
    learner.start(stop_and_forget).result(1.0)


def test_stop_harms_no_other(learner, queues):
    """Stopping one queue neither waits for another nor disturbs it"""
    ours, theirs = queues.bind(zmq.PULL), queues.bind(zmq.PUSH)
    learner.run(open_push, ours.address)
    learner.run(open_pull, theirs.address)
    learner.start(stop, "pull").result(1.0)
    learner.run(put, ["the sender goes on"])
    assert_same(ours.receive(), packed("the sender goes on"))

    address = queues.address()
    learner.run(open_pull, address, True)
    learner.start(stop, "push").result(1.0)
    queues.connect(zmq.PUSH, address).send(packed("the receiver goes on"))
    assert_same(learner.run(get, 1), ["the receiver goes on"])
