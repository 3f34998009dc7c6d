"""Queues in an event loop. A peer is the test's own end of a queue."""

import msgpack
import zmq

from judge.kit import assert_same, check

# These run beside your code, the `async` ones in an event loop of their own.


def open_pull(here, address, create=False):
    here.pull = here.module.ZmqAsyncPullQueue(address, create, lambda data: data["body"])
    here.module.__dict__.setdefault("opened", []).append(here.pull)  # see `stop`


def open_push(here, address, create=False):
    here.push = here.module.ZmqAsyncPushQueue(address, create, lambda message: {"body": message})
    here.module.__dict__.setdefault("opened", []).append(here.push)  # see `stop`


async def get(here, count):
    return [await here.pull.get() for _ in range(count)]


async def put(here, messages):
    for message in messages:
        await here.push.put(message)


async def get_beside_a_heart(here, pulse):
    """Begin a `get`, then send three beats, then wait for the message."""
    import asyncio

    import zmq

    here.heart = zmq.Context.instance().socket(zmq.PUSH)
    here.heart.linger = 0
    here.heart.connect(pulse)
    getting = asyncio.ensure_future(here.pull.get())
    for _ in range(3):
        await asyncio.sleep(0.0005)
        here.heart.send(b"beat")
    return await getting


async def get_and_count_turns(here, count):
    """For each of `count` messages, how many turns another task had before it was there."""
    import asyncio

    turns = 0

    async def take_turns():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.ensure_future(take_turns())
    await here.pull.get()
    counted = []
    for _ in range(count):
        before = turns
        await here.pull.get()
        counted.append(turns - before)
    other.cancel()
    return counted


async def stop(here, side):
    """Stop the queue `here.pull` or `here.push`.

    Until then it is kept, also when a test fails: Python may not collect an asyncio socket, because
    it can meet the context first, which waits for the socket.
    """
    queue = getattr(here, side)
    queue.stop()
    here.module.opened.remove(queue)


def packed(message):
    return msgpack.packb({"body": message}, use_bin_type=True)


def check_heart_beats(pulse):
    """Three beats arrive at the peer `pulse` within a second each."""
    for _ in range(3):
        check(
            not pulse.nothing_arrives(1.0) and pulse.receive() == b"beat",
            en="The heartbeat stops while your queue waits. Who waits here, a task or the whole "
            "event loop?",
            zh="你的队列在等待时，心跳停了。在等的是一个任务，还是整个事件循环？",
        )


def test_put_sends_msgpack(learner, queues, rng):
    """`put` sends what msgpack makes of the encoded messages"""
    messages = [["text", rng.randrange(1000), None], {"text": "你好"}]
    peer = queues.bind(zmq.PULL)
    learner.run(open_push, peer.address)
    learner.run(put, messages)
    assert_same([peer.receive(), peer.receive()], [packed(message) for message in messages])
    learner.run(stop, "push")


def test_get_decodes(learner, queues, rng):
    """`get` gives the messages in order"""
    messages = [rng.randrange(1000), "你好", {"uid": 7}]
    peer = queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    for message in messages:
        peer.send(packed(message))
    assert_same(learner.run(get, 3), messages)
    learner.run(stop, "pull")


def test_heart_beats_while_get_waits(learner, queues, rng):
    """A heartbeat goes on while `get` waits for a message"""
    message = rng.randrange(1000)
    pulse, peer = queues.bind(zmq.PULL), queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    running = learner.start(get_beside_a_heart, pulse.address)
    check_heart_beats(pulse)
    peer.send(packed(message))
    assert_same(running.result(), message)
    learner.run(stop, "pull")


def test_others_run_while_messages_wait(learner, queues):
    """Other tasks get their turns although message after message is there"""
    address = queues.address()
    learner.run(open_pull, address, True)
    peer = queues.connect(zmq.PUSH, address)
    for number in range(31):
        peer.send(packed(number))
    counted = learner.run(get_and_count_turns, 30)
    check(
        min(counted) >= 1,
        en="A task that takes one waiting message after the other keeps all other tasks from "
        "running. Does your `get` pause although a message is there?",
        zh="一个任务连续取走已到达的消息时，其他任务都没有机会运行。已有消息时，你的 `get` 会不会"
        "暂停一下？",
    )
    learner.run(stop, "pull")


def test_stop_with_nobody_there(learner, queues):
    """`stop` returns at once when the other side never came"""
    learner.run(open_push, queues.address())
    learner.run(put, ["nobody reads this"])
    learner.start(stop, "push").result(1.0)
    learner.run(open_pull, queues.address())
    learner.start(stop, "pull").result(1.0)
