"""What exactly is sent and received, who binds, who waits, and how a queue ends."""

import socket
import time

import msgpack
import zmq

from judge.kit import assert_same, check


def open_push(here, address, create=False):
    here.push = here.module.ZmqPushQueue(address, create, lambda message: {"body": message})


def open_pull(here, address, create=False):
    here.pull = here.module.ZmqPullQueue(address, create, lambda data: data["body"])


def open_strict_pull(here, address):
    def refuse(data):
        raise LookupError("this queue's decoder is not wanted here")

    here.pull = here.module.ZmqPullQueue(address, False, refuse)


def put(here, messages):
    for message in messages:
        here.push.put(message)


def keep_push(here):
    """Keep the queue beyond the test: what happens when Python collects it is another question."""
    here.module.kept_queue = here.push


def put_side_by_side(here, addresses):
    make = here.module.ZmqPushQueue
    here.pushes = [
        make(addresses[0], False, lambda message: {"body": [0, message]}),
        make(addresses[1], False, lambda message: {"body": [1, message]}),
    ]
    for queue, message in zip(here.pushes, ["first", "second"], strict=True):
        queue.put(message)


def get(here, count):
    return [here.pull.get() for _ in range(count)]


def get_raw(here, count):
    return [here.pull.get_raw() for _ in range(count)]


def get_both_ways(here, rounds):
    pull = here.pull
    return [[pull.get(), pull.decode(pull.get_raw())] for _ in range(rounds)]


def decode_then_get(here, raw):
    return [here.pull.decode(raw), here.pull.decode(raw), here.pull.get()]


def quickest_look(here, looks):
    """What `empty` says, and the seconds that its quickest answer takes: load only slows it down."""
    import time

    answers, seconds = [], []
    for _ in range(looks):
        started = time.perf_counter()
        answers.append(here.pull.empty())
        seconds.append(time.perf_counter() - started)
    return answers, min(seconds)


def stop_push(here):
    here.push.stop()


def stop_pull(here):
    here.pull.stop()


def stop_and_forget(here):
    import gc

    here.push.stop()
    here.push = None
    gc.collect()


def forget(here):
    import gc

    here.push = None
    gc.collect()


def cut_timeouts(here, side):
    """Let the sockets of the queue give up at once, if they give up at all.

    A test cannot wait as long as somebody's timeout. Who has set none, or tries again, goes on waiting.
    """
    import gc
    import types

    import zmq

    parts = [getattr(here, side)]
    for part in parts:  # it grows: what the queue holds, and what that holds
        if isinstance(part, zmq.Socket):
            for option in (zmq.SNDTIMEO, zmq.RCVTIMEO):
                if part.get(option) > 0:
                    part.set(option, 0)
        elif len(parts) < 1000 and not isinstance(
            part, (type, types.FunctionType, types.ModuleType)
        ):
            parts += gc.get_referents(part)


def open_in_a_cycle(here, addresses):
    """Queues of an object whose own method is their coder, as programs have them."""

    class Worker:
        def __init__(self, module):
            self.push = module.ZmqPushQueue(addresses[0], False, self.code)
            self.pull = module.ZmqPullQueue(addresses[1], True, self.code)

        def code(self, value):
            return value

    here.worker = Worker(here.module)
    here.worker.push.put("nobody reads this")


def forget_worker(here):
    import gc

    here.worker = None
    gc.collect()


def packed(message):
    return msgpack.packb({"body": message}, use_bin_type=True)


def check_still_waits(running):
    """Let a started `put` or `get` come to its wait; fail if it ends, with what it raises if it does.

    Each look is a round trip to the learner's process.
    """
    for _ in range(5):
        if running.done():
            running.result()
            check(
                False,
                en="`put` or `get` does not wait: it returns although nobody is on the other side.",
                zh="`put` 或 `get` 没有等待：对面还没有人，它就返回了。",
            )


def listens(address):
    """Whether somebody still answers at an ipc address; the file alone says nothing."""
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(address.removeprefix("ipc://")) == 0


def check_closed(address):
    until = time.monotonic() + 1.0
    while listens(address) and time.monotonic() < until:
        time.sleep(0.002)
    check(
        not listens(address),
        en="Somebody still listens at the queue's address after `stop`. Is the socket closed?",
        zh="`stop` 之后，队列的地址上仍有人在监听。套接字关闭了吗？",
    )


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


def test_get_unpacks_and_decodes(learner, queues, rng):
    """`get` gives text as text and bytes as bytes"""
    messages = [rng.randbytes(40), "字" * 40, {"ids": [1, -1, 2.5, None, True]}]
    peer = queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    for message in messages:
        peer.send(packed(message))
    assert_same(learner.run(get, len(messages)), messages)


def test_numbers_as_keys(learner, queues, rng):
    """A dict whose keys are numbers comes back as it was"""
    message = {rng.randrange(1000): "a", -1: "b"}
    peer = queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    for _ in range(2):
        peer.send(packed(message))
    assert_same(learner.run(get_both_ways, 1), [[message, message]])


def test_raw_bytes_are_any_bytes(learner, queues, rng):
    """`get_raw` returns any bytes as they are, and decodes nothing"""
    raws = [b"", b"\xc1", b"\x00\x01", rng.randbytes(300)]
    peer = queues.bind(zmq.PUSH)
    learner.run(open_strict_pull, peer.address)
    for raw in raws:
        peer.send(raw)
    assert_same(learner.run(get_raw, len(raws)), raws)


def test_decode_takes_nothing(learner, queues, rng):
    """`decode` works on the bytes it is given and leaves the queue alone"""
    given, waiting = rng.sample(range(1000), 2)
    peer = queues.bind(zmq.PUSH)
    learner.run(open_pull, peer.address)
    peer.send(packed(waiting))
    assert_same(learner.run(decode_then_get, packed(given)), [given, given, waiting])


def test_order_is_kept(learner, queues, rng):
    """Messages keep their order, whether `get` or `get_raw` takes them"""
    messages = [rng.randrange(1000) for _ in range(20)]
    address = queues.address()
    learner.run(open_pull, address, True)
    learner.run(open_push, address)
    learner.run(put, messages)
    taken = [message for pair in learner.run(get_both_ways, 10) for message in pair]
    assert_same(taken, messages)


def test_two_queues_side_by_side(learner, queues):
    """Two PUSH queues of one process send to different receivers"""
    peers = [queues.bind(zmq.PULL), queues.bind(zmq.PULL)]
    learner.run(put_side_by_side, [peer.address for peer in peers])
    assert_same([peer.receive() for peer in peers], [packed([0, "first"]), packed([1, "second"])])


def test_put_waits_for_a_receiver(learner, queues, rng):
    """With create=True `put` waits until a receiver connects, and loses nothing"""
    message = rng.randrange(1000)
    address = queues.address()
    learner.run(open_push, address, True)
    learner.run(cut_timeouts, "push")
    running = learner.start(put, [message])
    check_still_waits(running)
    peer = queues.connect(zmq.PULL, address)
    assert_same(peer.receive(), packed(message))
    running.result()


def test_get_waits_for_a_message(learner, queues, rng):
    """With create=True the receiver binds, and `get` waits for the message"""
    message = rng.randrange(1000)
    address = queues.address()
    learner.run(open_pull, address, True)
    learner.run(cut_timeouts, "pull")
    running = learner.start(get, 1)
    check_still_waits(running)
    queues.connect(zmq.PUSH, address).send(packed(message))
    assert_same(running.result(), [message])


def test_empty_is_true_or_false(learner, queues):
    """`empty` answers True or False, not 0 or 1"""
    learner.run(open_pull, queues.bind(zmq.PUSH).address)
    answers, _ = learner.run(quickest_look, 1)
    assert_same(answers, [True])


def test_empty_does_not_wait(learner, queues):
    """`empty` answers at once, time after time"""
    learner.run(open_pull, queues.bind(zmq.PUSH).address)
    answers, seconds = learner.run(quickest_look, 20)
    check(
        all(answers),
        en="`empty` is not True, though nothing was sent.",
        zh="什么也没发送，`empty` 却不是 True。",
    )
    check(
        seconds < 0.0007,
        en="`empty` waits for a while before it answers. It should only look.",
        zh="`empty` 要等一会儿才回答。它应当只看一眼。",
    )


def test_nothing_is_left_behind(learner, queues):
    """After `stop` nothing is left that blocks the process later"""
    learner.run(open_push, queues.address())
    learner.run(put, ["nobody reads this"] * 3)
    learner.start(stop_and_forget).result(1.0)


def test_forgotten_queue_blocks_nothing(learner, queues):
    """A queue that nobody stops blocks nothing when Python collects it"""
    learner.run(open_push, queues.address())
    learner.run(put, ["nobody reads this"] * 3)
    learner.start(forget).result(1.0)


def test_queue_in_a_cycle_blocks_nothing(learner, queues):
    """Queues that nobody stops block nothing when they lie in a reference cycle"""
    learner.run(open_in_a_cycle, [queues.address(), queues.address()])
    learner.start(forget_worker).result(1.0)


def test_stop_harms_no_other(learner, queues):
    """Stopping one queue neither waits for another nor disturbs it"""
    ours, theirs = queues.bind(zmq.PULL), queues.bind(zmq.PUSH)
    learner.run(open_push, ours.address)
    learner.run(open_pull, theirs.address)
    learner.start(stop_pull).result(1.0)
    learner.run(put, ["the sender goes on"])
    assert_same(ours.receive(), packed("the sender goes on"))

    address = queues.address()
    learner.run(open_pull, address, True)
    learner.start(stop_push).result(1.0)
    queues.connect(zmq.PUSH, address).send(packed("the receiver goes on"))
    assert_same(learner.run(get, 1), ["the receiver goes on"])


def test_stop_closes(learner, queues):
    """After `stop` nobody listens at the address"""
    for open_queue, stop_queue in ((open_push, stop_push), (open_pull, stop_pull)):
        address = queues.address()
        learner.run(open_queue, address, True)
        learner.run(stop_queue)
        check_closed(address)


# The last test, because its queue is kept open beyond it.
def test_connected_put_does_not_wait(learner, queues):
    """With create=False `put` does not wait for the other side"""
    learner.run(open_push, queues.address())
    learner.run(keep_push)
    learner.start(put, ["early"] * 3).result(1.0)
