"""Publisher and subscribers on real sockets. A peer is the test's own end of a queue."""

import time

import msgpack
import zmq

from judge.kit import assert_same, check

# These run beside your code. `here` keeps what they make until the test ends.


def open_pub(here, address):
    here.pub = here.module.ZmqPubQueue(address, True, lambda message: {"body": message})


def open_sub(here, address):
    here.sub = here.module.ZmqSubQueue(address, False, lambda data: data["body"])


def wait_for_subscribers(here, n):
    here.pub.wait_for_subscribers(n)


def put(here, message):
    here.pub.put(message)


def put_raw(here, raw):
    here.pub.put_raw(raw)


def get(here):
    return here.sub.get()


def empty(here):
    return here.sub.empty()


def wait_for_message(here):
    import time

    while here.sub.empty():
        time.sleep(0.001)


def stop_pub(here):
    here.pub.stop()


def stop_sub(here):
    here.sub.stop()


def check_still_waits(waiting, seconds=0.0):
    """Fail if `wait_for_subscribers`, which has been started, ends within that time.

    Each look is a round trip to your process, so it gets its turn on a busy machine too.
    """
    looks, until = 0, time.monotonic() + seconds
    while looks < 5 or time.monotonic() < until:
        if looks >= 5:
            time.sleep(0.0005)
        looks += 1
        if waiting.done():
            waiting.result()  # what your code raised, if it did, says more
            check(
                False,
                en="`wait_for_subscribers` returns although too few have subscribed. "
                "How does it learn of a subscription?",
                zh="订阅者还不够，`wait_for_subscribers` 就返回了。它是怎么得知有人订阅的？",
            )


def subscribers(learner, queues, address, n):
    """`n` new peers, after the publisher has waited for their subscriptions."""
    waiting = learner.start(wait_for_subscribers, n)
    check_still_waits(waiting)
    peers = [queues.connect(zmq.SUB, address) for _ in range(n)]
    waiting.result()
    return peers


def test_message_arrives(sender, receiver, queues, rng):
    """A message goes from the publisher to a subscriber"""
    message = {"uid": rng.randrange(1000), "text": "你好"}
    address = queues.address()
    sender.run(open_pub, address)
    waiting = sender.start(wait_for_subscribers, 1)
    check_still_waits(waiting)
    receiver.run(open_sub, address)
    waiting.result()
    sender.run(put, message)
    assert_same(receiver.run(get), message)


def test_waits_for_a_late_subscriber(learner, queues, rng):
    """A subscriber that comes late misses nothing"""
    numbers = [rng.randrange(100) for _ in range(5)]
    address = queues.address()
    learner.run(open_pub, address)
    waiting = learner.start(wait_for_subscribers, 1)
    check_still_waits(waiting, seconds=0.015)
    late = queues.connect(zmq.SUB, address)
    waiting.result()
    for number in numbers:
        learner.run(put, number)
    received = [msgpack.unpackb(late.receive()) for _ in numbers]
    assert_same(received, [{"body": number} for number in numbers])


def test_same_bytes_for_everybody(learner, queues, rng):
    """Two subscribers get the same raw bytes"""
    raw = msgpack.packb({"uid": rng.randrange(1000)})
    address = queues.address()
    learner.run(open_pub, address)
    first, second = subscribers(learner, queues, address, 2)
    learner.run(put_raw, raw)
    for peer in (first, second):
        assert_same(
            peer.receive(),
            raw,
            en="The bytes that arrive are not those that were given to `put_raw`.",
            zh="收到的字节，与交给 `put_raw` 的字节不同。",
        )


def test_empty_takes_nothing(learner, queues, rng):
    """`empty` sees a message and leaves it in the queue"""
    message = rng.randrange(1000)
    publisher = queues.bind(zmq.XPUB)
    learner.run(open_sub, publisher.address)
    check(
        not publisher.nothing_arrives(1.0) and publisher.receive() == b"\x01",
        en="The publisher hears of no subscription to everything. "
        "What does a SUB socket want at first?",
        zh="发布者没有收到“订阅全部消息”的请求。SUB 套接字一开始想接收什么？",
    )
    check(
        learner.run(empty) is True,
        en="`empty` should be True: nothing was sent yet.",
        zh="还没有发送任何消息，`empty` 应当是 True。",
    )
    publisher.send(msgpack.packb({"body": message}))
    learner.run(wait_for_message)
    check(
        learner.run(empty) is False,
        en="Looking twice gives two answers. Does `empty` take the message away?",
        zh="看两次，结果不一样。`empty` 是不是把消息取走了？",
    )
    assert_same(learner.run(get), message)
    check(
        learner.run(empty) is True,
        en="`empty` should be True again after the only message was taken.",
        zh="唯一的消息取走之后，`empty` 应当又是 True。",
    )


def test_stop_with_nobody_there(learner, queues):
    """`stop` returns at once when the other side never came"""
    learner.run(open_pub, queues.address())
    learner.run(put, 1)
    learner.start(stop_pub).result(1.0)
    learner.run(open_sub, queues.address())
    learner.start(stop_sub).result(1.0)
