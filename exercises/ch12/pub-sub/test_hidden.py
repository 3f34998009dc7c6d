"""Who has subscribed when, what exactly is sent, and how a queue ends."""

import socket
import time

import msgpack
import zmq

from judge.kit import assert_same, check

# More messages than a send queue by default and a short receive queue hold, and so large that the
# kernel between the two holds few of them.
MANY, PADDING = 1500, "." * 1000
# More bytes than the kernel holds on their way to a subscriber that does not read.
UNSENT, LARGE_PADDING = 400, "." * 4000
# Less than the shortest sleep that `test_waits_for_a_late_subscriber` lets pass.
QUICK_SECONDS = 0.010
# A wait's begin, the subscriber's coming and the wait's end: less than whoever looks at intervals needs.
WAKE_SECONDS = 0.090


def open_pub(here, address, create=True):
    here.pub = here.module.ZmqPubQueue(address, create, lambda message: {"body": message})


def open_sub(here, address, create=False):
    here.sub = here.module.ZmqSubQueue(address, create, lambda data: data["body"])


def wait_for_subscribers(here, n):
    here.pub.wait_for_subscribers(n)


def wait_and_put(here, n, message):
    here.pub.wait_for_subscribers(n)
    here.pub.put(message)


def put(here, messages):
    for message in messages:
        here.pub.put(message)


def put_burst(here, count, padding):
    for number in range(count):
        here.pub.put([number, padding])


def put_raw(here, raws):
    for raw in raws:
        here.pub.put_raw(raw)


def get(here, count):
    return [here.sub.get() for _ in range(count)]


def quickest_look(here, looks):
    """What `empty` says, and the seconds that its quickest answer takes: load only slows it down."""
    import time

    answers, seconds = [], []
    for _ in range(looks):
        started = time.perf_counter()
        answers.append(here.sub.empty())
        seconds.append(time.perf_counter() - started)
    return answers, min(seconds)


def stop_pub(here):
    here.pub.stop()


def stop_sub(here):
    here.sub.stop()


def stop_and_forget_pub(here):
    import gc

    here.pub.stop()
    here.pub = None
    gc.collect()


def bring_limits_near(here):
    """Make the limits of the publisher's sockets so small that a test can meet them, if they have any.

    Who has set no timeout and no high-water mark, or is ready for them, notices nothing.
    """
    import gc
    import types

    import zmq

    parts = [here.pub]
    for part in parts:  # it grows: what the queue holds, and what that holds
        if isinstance(part, zmq.Socket):
            for option in (zmq.SNDTIMEO, zmq.RCVTIMEO):
                if part.get(option) > 0:
                    part.set(option, 0)
            part.set(zmq.SNDHWM, min(part.get(zmq.SNDHWM), 1000))
        elif len(parts) < 1000 and not isinstance(
            part, (type, types.FunctionType, types.ModuleType)
        ):
            parts += gc.get_referents(part)


def wait_since_now(here):
    here.waits = True
    here.pub.wait_for_subscribers(1)


def waits(here):
    return getattr(here, "waits", False)


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
            waiting.result()
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


def slow_subscriber(learner, queues, address):
    """A peer, waited for, that takes in only a few messages as long as nobody reads them."""
    (peer,) = subscribers(learner, queues, address, 1)
    peer.socket.rcvhwm = 10
    return peer


def leave_and_return(peer):
    """End the peer's subscription and make it again. The two arrive in this order."""
    peer.socket.unsubscribe(b"")
    peer.socket.subscribe(b"")


def check_subscribes(publisher):
    """Take the subscription to everything from an XPUB peer; fail if none comes."""
    check(
        not publisher.nothing_arrives(1.0) and publisher.receive() == b"\x01",
        en="The publisher hears of no subscription to everything. "
        "What does a SUB socket want at first?",
        zh="发布者没有收到“订阅全部消息”的请求。SUB 套接字一开始想接收什么？",
    )


def packed(message):
    return msgpack.packb({"body": message}, use_bin_type=True)


def test_waits_for_the_second(learner, queues, rng):
    """One subscriber is not enough where two are awaited"""
    address = queues.address()
    learner.run(open_pub, address)
    learner.run(bring_limits_near)
    message = rng.randrange(1000)
    # Whoever waits for one only has put the message long before the second comes.
    running = learner.start(wait_and_put, 2, message)
    first = queues.connect(zmq.SUB, address)
    check_still_waits(running, seconds=0.008)
    second = queues.connect(zmq.SUB, address)
    running.result()
    assert_same([first.receive(), second.receive()], [packed(message)] * 2)


def test_counts_since_the_beginning(learner, queues):
    """Subscriptions are counted since the queue was made, not per call"""
    address = queues.address()
    learner.run(open_pub, address)
    peers = subscribers(learner, queues, address, 1)
    waiting = learner.start(wait_for_subscribers, 2)
    check_still_waits(waiting)
    peers.append(queues.connect(zmq.SUB, address))
    waiting.result()
    for fewer in (2, 1, 0):
        learner.run(wait_for_subscribers, fewer)
    learner.run(put, ["all are here"])
    for peer in peers:
        assert_same(peer.receive(), packed("all are here"))


def test_leaving_is_not_subscribing(learner, queues):
    """A subscriber that leaves is not counted as another one"""
    address = queues.address()
    learner.run(open_pub, address)
    (peer,) = subscribers(learner, queues, address, 1)
    leave_and_return(peer)
    learner.run(wait_for_subscribers, 2)
    # What reaches the peer again was put after its farewell and its return had both arrived.
    while peer.nothing_arrives(0.001):
        learner.run(put, ["welcome back"])
    waiting = learner.start(wait_for_subscribers, 3)
    check_still_waits(waiting)
    leave_and_return(peer)
    waiting.result()


def test_who_left_stays_counted(learner, queues):
    """A subscriber that has left and comes back counts again"""
    address = queues.address()
    learner.run(open_pub, address)
    (peer,) = subscribers(learner, queues, address, 1)
    leave_and_return(peer)
    learner.start(wait_for_subscribers, 2).result(1.0)


def test_waiting_costs_no_time(learner, queues):
    """Waiting ends as soon as the subscriber is there"""
    address, seconds = queues.address(), []
    # A busy machine slows a round down, nothing makes it quicker: so the quickest of many counts.
    while min(seconds, default=1.0) > QUICK_SECONDS and sum(seconds) < 1.0:
        learner.run(open_pub, address)
        peer = queues.connect(zmq.SUB, address)
        for _ in range(5):  # round trips to the learner's process, in which the subscription comes
            learner.run(waits)
        started = time.monotonic()
        learner.run(wait_for_subscribers, 1)
        seconds.append(time.monotonic() - started)
        peer.close()
        learner.run(stop_pub)
    check(
        min(seconds) <= QUICK_SECONDS,
        en="`wait_for_subscribers` takes its time although the subscriber is there. "
        "Does it wait for a while, or for the subscription?",
        zh="订阅者已经在了，`wait_for_subscribers` 却还要等。它等的是一段时间，还是订阅本身？",
    )


def test_subscription_wakes(learner, queues):
    """A wait that has begun ends as soon as the subscriber comes"""
    seconds = []  # a busy machine only slows a round down: the quickest counts
    while min(seconds, default=1.0) > WAKE_SECONDS and (len(seconds) < 4 or sum(seconds) < 1.0):
        address = queues.address()
        learner.run(open_pub, address)
        started = time.monotonic()
        waiting = learner.start(wait_since_now)
        while not learner.run(waits):
            pass
        check_still_waits(waiting)
        queues.connect(zmq.SUB, address)
        waiting.result()
        seconds.append(time.monotonic() - started)
        learner.run(stop_pub)
    check(
        min(seconds) <= WAKE_SECONDS,
        en="The subscription has come, but `wait_for_subscribers` notices it much later. Does it look "
        "only now and then?",
        zh="订阅已经到了，`wait_for_subscribers` 却很久以后才发现。它是不是每隔一阵才看一眼？",
    )


def test_all_messages_in_order(learner, queues, rng):
    """Each of three subscribers gets every message, in order"""
    messages = [rng.randrange(1000) for _ in range(100)]
    address = queues.address()
    learner.run(open_pub, address)
    peers = subscribers(learner, queues, address, 3)
    learner.run(put, messages)
    for peer in peers:
        assert_same([peer.receive() for _ in messages], [packed(m) for m in messages])


def test_burst_loses_nothing(learner, queues):
    """A subscriber that reads late still gets more than a thousand messages"""
    address = queues.address()
    learner.run(open_pub, address)
    slow = slow_subscriber(learner, queues, address)
    learner.run(bring_limits_near)
    learner.run(put_burst, MANY, PADDING)
    for number in range(MANY):
        check(
            not slow.nothing_arrives(1.0) and slow.receive() == packed([number, PADDING]),
            en="Messages of a long burst are missing. "
            "What does ZMQ do with a message when the send queue is full?",
            zh="连续发送很多消息时丢了一些。发送队列满了以后，ZMQ 怎样处理新的消息？",
        )


def test_put_packs_with_msgpack(learner, queues, rng):
    """`put` sends exactly what msgpack makes of the encoded message"""
    messages = [rng.randbytes(40), "字" * 40, {"ids": [1, -1, 2.5, None, True]}]
    address = queues.address()
    learner.run(open_pub, address)
    (peer,) = subscribers(learner, queues, address, 1)
    learner.run(put, messages)
    assert_same(
        [peer.receive() for _ in messages],
        [packed(message) for message in messages],
        en="The bytes of `put` are not those of msgpack, made of `encoder(obj)` with "
        "use_bin_type=True.",
        zh="`put` 发出的字节，与 msgpack 以 use_bin_type=True 打包 `encoder(obj)` 的结果不同。",
    )


def test_put_raw_changes_nothing(learner, queues, rng):
    """`put_raw` sends any bytes as they are"""
    raws = [b"", b"\xc1", b"\x00\x01", rng.randbytes(300)]
    address = queues.address()
    learner.run(open_pub, address)
    (peer,) = subscribers(learner, queues, address, 1)
    learner.run(put_raw, raws)
    assert_same(
        [peer.receive() for _ in raws],
        raws,
        en="The bytes that arrive are not those that were given to `put_raw`.",
        zh="收到的字节，与交给 `put_raw` 的字节不同。",
    )


def test_get_unpacks_and_decodes(learner, queues, rng):
    """`get` tells text from bytes and gives messages in order"""
    messages = [rng.randbytes(40), "字" * 40, {"ids": [1, -1, 2.5, None, True]}]
    publisher = queues.bind(zmq.XPUB)
    learner.run(open_sub, publisher.address)
    check_subscribes(publisher)
    for message in messages:
        publisher.send(packed(message))
    assert_same(learner.run(get, len(messages)), messages)


def test_numbers_as_keys(learner, queues, rng):
    """A dict whose keys are numbers comes back as it was"""
    message = {rng.randrange(1000): "a", -1: "b"}
    publisher = queues.bind(zmq.XPUB)
    learner.run(open_sub, publisher.address)
    check_subscribes(publisher)
    publisher.send(packed(message))
    assert_same(learner.run(get, 1), [message])


def test_publisher_may_connect(learner, queues, rng):
    """With create=False the publisher connects to a subscriber that is bound"""
    message = rng.randrange(1000)
    subscriber = queues.bind(zmq.SUB)
    learner.run(open_pub, subscriber.address, False)
    running = learner.start(wait_and_put, 1, message)
    check_still_waits(running)
    subscriber.socket.subscribe(b"")
    assert_same(subscriber.receive(), packed(message))
    running.result()


def test_subscriber_may_bind(learner, queues, rng):
    """With create=True the subscriber binds, and `get` waits for the message"""
    message = rng.randrange(1000)
    address = queues.address()
    learner.run(open_sub, address, True)
    running = learner.start(get, 1)
    publisher = queues.connect(zmq.XPUB, address)
    check_subscribes(publisher)
    publisher.send(packed(message))
    assert_same(running.result(), [message])


def test_empty_does_not_wait(learner, queues):
    """`empty` answers at once, time after time"""
    learner.run(open_sub, queues.bind(zmq.XPUB).address)
    answers, seconds = learner.run(quickest_look, 20)
    assert_same(answers, [True] * 20)
    check(
        seconds < 0.0007,
        en="`empty` waits for a while before it answers. It should only look.",
        zh="`empty` 要等一会儿才回答。它应当只看一眼。",
    )


def test_stop_drops_what_is_unsent(learner, queues):
    """`stop` returns at once although a subscriber has not taken its messages"""
    address = queues.address()
    learner.run(open_pub, address)
    slow_subscriber(learner, queues, address)
    learner.run(put_burst, UNSENT, LARGE_PADDING)
    learner.start(stop_pub).result(1.0)


def test_nothing_is_left_behind(learner, queues):
    """After `stop` nothing is left that blocks the process later"""
    address = queues.address()
    learner.run(open_pub, address)
    slow_subscriber(learner, queues, address)
    learner.run(put_burst, UNSENT, LARGE_PADDING)
    learner.start(stop_and_forget_pub).result(1.0)


def test_stop_harms_no_other(learner, queues):
    """Stopping one queue neither waits for another nor disturbs it"""
    address, publisher = queues.address(), queues.bind(zmq.XPUB)
    learner.run(open_pub, address)
    (peer,) = subscribers(learner, queues, address, 1)
    learner.run(open_sub, publisher.address)
    check_subscribes(publisher)
    learner.start(stop_sub).result(1.0)
    learner.run(put, ["the publisher goes on"])
    assert_same(peer.receive(), packed("the publisher goes on"))

    learner.run(open_sub, publisher.address)
    while publisher.receive() != b"\x01":  # first comes the farewell of the stopped one
        pass
    learner.start(stop_pub).result(1.0)
    publisher.send(packed("the subscriber goes on"))
    assert_same(learner.run(get, 1), ["the subscriber goes on"])


def listens(address):
    """Whether somebody still answers at an ipc address; the file alone says nothing."""
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(address.removeprefix("ipc://")) == 0


def test_stop_closes(learner, queues):
    """After `stop` nobody listens at the address, and the subscription is over"""
    address, publisher = queues.address(), queues.bind(zmq.XPUB)
    learner.run(open_pub, address)
    learner.run(stop_pub)
    until = time.monotonic() + 1.0
    while listens(address) and time.monotonic() < until:
        time.sleep(0.002)
    check(
        not listens(address),
        en="The publisher still listens at its address after `stop`. Is its socket closed?",
        zh="`stop` 之后，发布者仍在它的地址上监听。套接字关闭了吗？",
    )
    learner.run(open_sub, publisher.address)
    check_subscribes(publisher)
    learner.run(stop_sub)
    assert_same(publisher.receive(), b"\x00")  # ZMQ says so when a subscriber's socket closes
