"""PUSH and PULL on real sockets. A peer is the test's own end of a queue."""

import msgpack
import zmq

from judge.kit import assert_same, check

# These run beside your code. `here` keeps what they make until the test ends.


def open_push(here, address, create=False):
    here.push = here.module.ZmqPushQueue(address, create, lambda message: {"body": message})


def open_pull(here, address, create=False):
    here.pull = here.module.ZmqPullQueue(address, create, lambda data: data["body"])


def put(here, messages):
    for message in messages:
        here.push.put(message)


def get(here, count):
    return [here.pull.get() for _ in range(count)]


def get_raw(here):
    return here.pull.get_raw()


def decode(here, raw):
    return here.pull.decode(raw)


def empty(here):
    return here.pull.empty()


def wait_for_message(here):
    """Look until a message is there, for a second at most."""
    import time

    until = time.monotonic() + 1.0
    while here.pull.empty() and time.monotonic() < until:
        time.sleep(0.0005)


def stop_push(here):
    here.push.stop()
    # Kept beyond the test: what happens when Python collects it is another question.
    here.module.stopped_queue = here.push


def stop_pull(here):
    here.pull.stop()


def packed(message):
    return msgpack.packb({"body": message}, use_bin_type=True)


def test_three_messages(learner, queues, rng):
    """Three messages go from your PUSH queue to your PULL queue"""
    messages = [{"uid": rng.randrange(1000), "text": "你好"} for _ in range(3)]
    address = queues.address()
    learner.run(open_pull, address, True)
    learner.run(open_push, address)
    learner.run(put, messages)
    assert_same(learner.run(get, 3), messages)


def test_put_sends_msgpack(learner, queues, rng):
    """`put` sends what msgpack makes of the encoded message"""
    message = ["text", rng.randrange(1000), None]
    peer = queues.bind(zmq.PULL)
    learner.run(open_push, peer.address)
    learner.run(put, [message])
    assert_same(
        peer.receive(),
        packed(message),
        en="The bytes of `put` are not those of msgpack, made of `encoder(obj)`.",
        zh="`put` 发出的字节，与 msgpack 打包 `encoder(obj)` 的结果不同。",
    )


def test_raw_first_then_decoded(learner, queues, rng):
    """`get_raw` gives the bytes, `decode` makes the message of them"""
    message = {"uid": rng.randrange(1000)}
    peer = queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    peer.send(packed(message))
    raw = learner.run(get_raw)
    assert_same(
        raw,
        packed(message),
        en="`get_raw` does not return the bytes that were sent.",
        zh="`get_raw` 返回的不是对方发来的字节。",
    )
    assert_same(learner.run(decode, raw), message)


def test_empty_takes_nothing(learner, queues, rng):
    """`empty` sees a message and leaves it in the queue"""
    message = rng.randrange(1000)
    peer = queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    check(
        learner.run(empty) is True,
        en="`empty` should be True: nothing was sent yet.",
        zh="还没有发送任何消息，`empty` 应当是 True。",
    )
    peer.send(packed(message))
    learner.run(wait_for_message)
    check(
        learner.run(empty) is False,
        en="A message was sent, but `empty` is not False when asked again. "
        "Does it take the message away?",
        zh="消息已经发出，再问一次，`empty` 却不是 False。它是不是把消息取走了？",
    )
    assert_same(learner.run(get, 1), [message])
    check(
        learner.run(empty) is True,
        en="`empty` should be True again after the only message was taken.",
        zh="唯一的消息取走之后，`empty` 应当又是 True。",
    )


def test_stop_with_nobody_there(learner, queues):
    """`stop` returns at once when the other side never came"""
    learner.run(open_push, queues.address())
    learner.run(put, ["nobody reads this"])
    learner.start(stop_push).result(1.0)
    learner.run(open_pull, queues.address())
    learner.start(stop_pull).result(1.0)
