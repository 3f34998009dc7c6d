"""Rank 0 and the others on real sockets. A peer is the test's own end of a queue."""

import msgpack
import zmq

from judge.kit import assert_same, check

# These run beside your code. `here` keeps what they make until the test ends.


def open_rank0(here, tokenizer, ranks, counts):
    """The queues of rank 0, on sockets of this process.

    `tokenizer` is where its messages come from, `ranks` where all ranks hear the forwarded ones;
    `counts` has an address for each other rank, where it hears the numbers.
    """
    from collections import deque
    from types import SimpleNamespace

    import msgpack
    import zmq

    context = zmq.Context.instance()
    pull, pub = context.socket(zmq.PULL), context.socket(zmq.XPUB)
    count_sockets = [context.socket(zmq.PUSH) for _ in counts]
    for socket in (pull, pub, *count_sockets):
        socket.linger = 0
    pub.setsockopt(zmq.XPUB_VERBOSE, 1)
    pull.connect(tokenizer)
    pub.bind(ranks)
    for socket, address in zip(count_sockets, counts, strict=True):
        socket.bind(address)

    arrived = deque()  # see `let_arrive`
    late = iter(range(100))

    def empty():
        """Messages are late: not there before they were awaited, or asked for again and again."""
        if not arrived and next(late, None) is None and pull.poll(0):
            arrived.append(pull.recv())
        return not arrived

    def get_raw():
        return arrived.popleft() if arrived else pull.recv()

    def broadcast(number):
        for socket in count_sockets:
            socket.send(b"%d" % number)
        return number

    here.queue = SimpleNamespace(
        arrived=arrived, empty=empty, get_raw=get_raw, decode=msgpack.unpackb
    )
    here.group = SimpleNamespace(broadcast=broadcast)
    here.pull, here.pub, here.to_ranks = pull, pub, SimpleNamespace(put_raw=pub.send)


def open_rank(here, rank, ranks, count):
    """The queues of another rank: `ranks` and `count` are addresses that rank 0 has bound."""
    from collections import deque
    from types import SimpleNamespace

    import msgpack
    import zmq

    context = zmq.Context.instance()
    sub, count_socket = context.socket(zmq.SUB), context.socket(zmq.PULL)
    for socket in (sub, count_socket):
        socket.linger = 0
    sub.subscribe(b"")
    sub.connect(ranks)
    count_socket.connect(count)

    arrived = deque()
    late = iter(range(100))

    def empty():
        """As on rank 0."""
        if not arrived and next(late, None) is None and sub.poll(0):
            arrived.append(sub.recv())
        return not arrived

    def get_raw():
        return arrived.popleft() if arrived else sub.recv()

    def broadcast(number):
        if number is not None:
            raise TypeError("only rank 0 knows the number; the other ranks give None")
        return int(count_socket.recv())

    queue = SimpleNamespace(arrived=arrived, empty=empty, get_raw=get_raw, decode=msgpack.unpackb)
    queue.socket = sub
    group = SimpleNamespace(broadcast=broadcast)
    here.ranks = {**getattr(here, "ranks", {}), rank: (queue, group)}


def wait_for_ranks(here, count):
    """Wait until so many ranks have subscribed."""
    for _ in range(count):
        here.pub.recv()


def let_arrive(here, count):
    """Wait until so many messages of the tokenizer have arrived; `empty` tells of no others."""
    for _ in range(count):
        here.queue.arrived.append(here.pull.recv())


def step_on_rank0(here, blocking):
    return here.module.receive_on_rank0(here.queue, here.to_ranks, here.group, blocking)


def step_on_rank(here, rank):
    return here.module.receive_on_other_rank(*here.ranks[rank])


def decode_at_the_gate(here, gate):
    """Let rank 0's queue decode a message only after the test has sent a word to `gate`."""
    import msgpack
    import zmq

    here.gate = zmq.Context.instance().socket(zmq.PULL)
    here.gate.connect(gate)

    def decode(raw):
        here.gate.recv()
        return msgpack.unpackb(raw)

    here.queue.decode = decode


def rank0_alone(learner, queues):
    """Rank 0 beside the learner's code; the tokenizer and the only other rank are the test's.

    Three peers: where messages are put in, where they come out, where the numbers come out.
    """
    tokenizer, ranks, count = queues.bind(zmq.PUSH), queues.address(), queues.address()
    learner.run(open_rank0, tokenizer.address, ranks, [count])
    forwarded, counts = queues.connect(zmq.SUB, ranks), queues.connect(zmq.PULL, count)
    learner.run(wait_for_ranks, 1)
    return tokenizer, forwarded, counts


def rank1_alone(learner, queues):
    """Rank 1 beside the learner's code; rank 0 is the test's: peers for messages and numbers."""
    ranks, counts = queues.bind(zmq.XPUB), queues.bind(zmq.PUSH)
    learner.run(open_rank, 1, ranks.address, counts.address)
    ranks.receive()  # its subscription
    return ranks, counts


def send_and_let_arrive(learner, tokenizer, messages):
    for message in messages:
        tokenizer.send(msgpack.packb(message))
    learner.run(let_arrive, len(messages))


def check_forwarded(forwarded, raws):
    """The next step of rank 0 has forwarded exactly these bytes."""
    for raw in raws:
        check(
            not forwarded.nothing_arrives(1.0),
            en="The other ranks do not get every message of the step, or not before rank 0 decodes.",
            zh="其他 rank 没有收到这一步的全部消息，或者没有在 rank 0 解码之前收到。",
        )
        assert_same(
            forwarded.receive(),
            raw,
            en="The other ranks do not get the bytes that rank 0 got, in the same order.",
            zh="其他 rank 收到的字节，与 rank 0 收到的不同，或者顺序不同。",
        )


def check_announced(counts, number):
    """The next step of rank 0 has announced so many messages."""
    check(
        not counts.nothing_arrives(1.0),
        en="Rank 0 does not announce the number of messages of this step; the other ranks wait.",
        zh="rank 0 没有宣布这一步的消息数，其他 rank 一直在等。",
    )
    check(
        int(counts.receive()) == number,
        en="The number that rank 0 announces is not the number of messages of this step.",
        zh="rank 0 宣布的数目，不是这一步的消息数。",
    )


def test_rank0_forwards_and_counts(learner, queues, rng):
    """Rank 0 forwards three messages, announces three, and returns three"""
    messages = rng.sample(range(1000), 3)
    tokenizer, forwarded, counts = rank0_alone(learner, queues)
    send_and_let_arrive(learner, tokenizer, messages)
    assert_same(learner.run(step_on_rank0, False), messages)
    check_forwarded(forwarded, [msgpack.packb(message) for message in messages])
    check_announced(counts, len(messages))


def test_nothing_has_arrived(learner, queues):
    """With blocking=False and no message, the step is empty on rank 0, and announced"""
    _, _, counts = rank0_alone(learner, queues)
    assert_same(learner.start(step_on_rank0, False).result(1.0), [])
    check_announced(counts, 0)


def test_other_rank_follows(learner, queues, rng):
    """Another rank takes two messages, then none, then one, as rank 0 announces"""
    messages = rng.sample(range(1000), 3)
    ranks, counts = rank1_alone(learner, queues)
    for message in messages:
        ranks.send(msgpack.packb(message))
    for number in (b"2", b"0", b"1"):
        counts.send(number)
    steps = [learner.run(step_on_rank, 1) for _ in range(3)]
    assert_same(steps, [messages[:2], [], messages[2:]])


def test_forwards_before_it_decodes(learner, queues, rng):
    """The other ranks have the message before rank 0 begins to decode it"""
    message, gate = rng.randrange(1000), queues.bind(zmq.PUSH)
    tokenizer, forwarded, _ = rank0_alone(learner, queues)
    learner.run(decode_at_the_gate, gate.address)
    send_and_let_arrive(learner, tokenizer, [message])
    running = learner.start(step_on_rank0, False)
    check_forwarded(forwarded, [msgpack.packb(message)])
    gate.send(b"go")
    assert_same(running.result(), [message])


def test_two_ranks_in_step(sender, receiver, queues, rng):
    """Two ranks, each in a process of its own, return the same messages in every step"""
    tokenizer, ranks, count = queues.bind(zmq.PUSH), queues.address(), queues.address()
    sender.run(open_rank0, tokenizer.address, ranks, [count])
    receiver.run(open_rank, 1, ranks, count)
    sender.run(wait_for_ranks, 1)
    for number in (2, 0, 3):
        messages = rng.sample(range(1000), number)
        send_and_let_arrive(sender, tokenizer, messages)
        assert_same(sender.run(step_on_rank0, False), messages)
        assert_same(receiver.run(step_on_rank, 1), messages)
