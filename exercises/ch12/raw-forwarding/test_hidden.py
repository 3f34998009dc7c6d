"""What the other ranks hear and when, how many messages a step has, and what may go wrong."""

import msgpack
import zmq

from judge.kit import assert_same, check


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


def let_arrive_at_rank(here, rank, count):
    """Wait until so many forwarded messages have arrived; `empty` tells of no others."""
    queue, _ = here.ranks[rank]
    for _ in range(count):
        queue.arrived.append(queue.socket.recv())


def step_on_rank0(here, blocking):
    return here.module.receive_on_rank0(here.queue, here.to_ranks, here.group, blocking)


def step_on_rank(here, rank):
    return here.module.receive_on_other_rank(*here.ranks[rank])


def step_in_spite(here, rank):
    """A step, whatever it raises."""
    try:
        here.module.receive_on_other_rank(*here.ranks[rank])
    except Exception:
        return


def seconds_of_a_step(here, tries):
    """How long a step without messages takes on rank 0, in the quickest of so many tries."""
    import time

    seconds = []
    for _ in range(tries):
        started = time.perf_counter()
        here.module.receive_on_rank0(here.queue, here.to_ranks, here.group, False)
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def steps_until(here, blocking, count):
    """Step after step until so many messages have been returned."""
    steps = []
    while sum(map(len, steps)) < count:
        steps.append(here.module.receive_on_rank0(here.queue, here.to_ranks, here.group, blocking))
    return steps


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


def ring_when_asked(here, queue, bell):
    """Let a queue send a word to `bell` whenever `get_raw` has to wait for a message."""
    import zmq

    here.bell = zmq.Context.instance().socket(zmq.PUSH)
    here.bell.linger = 0
    here.bell.connect(bell)
    queue = here.queue if queue == 0 else here.ranks[queue][0]
    get_raw = queue.get_raw

    def ring_and_get():
        if not queue.arrived:
            here.bell.send(b"waits")
        return get_raw()

    queue.get_raw = ring_and_get


def arrive_while_forwarding(here, count):
    """Let one more message be there whenever one is forwarded, `count` times."""
    put_raw = here.to_ranks.put_raw
    left = iter(range(count))

    def put_and_let_arrive(raw):
        put_raw(raw)
        if next(left, None) is not None:
            here.queue.arrived.append(here.pull.recv())

    here.to_ranks.put_raw = put_and_let_arrive


def count_broadcasts(here):
    """Let `broadcasts` tell how often the group was asked."""
    broadcast = here.group.broadcast
    here.broadcasts = 0

    def count_and_broadcast(number):
        here.broadcasts += 1
        return broadcast(number)

    here.group.broadcast = count_and_broadcast


def broadcasts(here):
    return here.broadcasts


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


def test_three_ranks_in_step(learner, sender, receiver, queues, rng):
    """Three ranks, each in a process of its own, return the same messages in every step"""
    tokenizer, ranks = queues.bind(zmq.PUSH), queues.address()
    counts = [queues.address(), queues.address()]
    others = {1: sender, 2: receiver}
    learner.run(open_rank0, tokenizer.address, ranks, counts)
    for rank, process in others.items():
        process.run(open_rank, rank, ranks, counts[rank - 1])
    learner.run(wait_for_ranks, 2)
    for number in (rng.randint(2, 5), 0, 1, rng.randint(2, 5)):
        messages = [{"uid": uid} for uid in rng.sample(range(1000), number)]
        send_and_let_arrive(learner, tokenizer, messages)
        following = {rank: process.start(step_on_rank, rank) for rank, process in others.items()}
        assert_same(learner.run(step_on_rank0, False), messages)
        for rank in others:
            assert_same(following[rank].result(), messages)


def test_bytes_are_not_packed_again(learner, queues, rng):
    """What is forwarded are the bytes that came, however they were packed, and as often"""
    number = rng.randrange(100)
    raws = [b"\xcf" + number.to_bytes(8, "big"), b"\xd9\x02ok", b"\xdc\x00\x01" + bytes([number])]
    raws += [raws[1], raws[1]]
    tokenizer, forwarded, counts = rank0_alone(learner, queues)
    for raw in raws:
        tokenizer.send(raw)
    learner.run(let_arrive, len(raws))
    assert_same(
        learner.run(step_on_rank0, False),
        [number, "ok", [number], "ok", "ok"],
        en="Rank 0 does not return each message that came, in order. Two may be equal.",
        zh="rank 0 返回的，不是按顺序收到的每一条消息。其中可能有两条相同。",
    )
    check_forwarded(forwarded, raws)
    check_announced(counts, len(raws))


def test_many_in_one_step(learner, queues, rng):
    """A step has all messages that have arrived, however many"""
    messages = rng.sample(range(1000), rng.randint(300, 320))
    tokenizer, forwarded, counts = rank0_alone(learner, queues)
    send_and_let_arrive(learner, tokenizer, messages)
    step = learner.run(step_on_rank0, False)
    check(
        len(step) == len(messages),
        en="Many messages have arrived, but the step does not have all of them.",
        zh="到了很多条消息，这一步却没有包含全部。",
    )
    assert_same(step, messages)
    check_forwarded(forwarded, [msgpack.packb(message) for message in messages])
    check_announced(counts, len(messages))


def test_forwards_all_before_it_decodes_one(learner, queues, rng):
    """The other ranks have all messages of the step before rank 0 decodes the first"""
    messages, gate = rng.sample(range(1000), 3), queues.bind(zmq.PUSH)
    tokenizer, forwarded, _ = rank0_alone(learner, queues)
    learner.run(decode_at_the_gate, gate.address)
    send_and_let_arrive(learner, tokenizer, messages)
    running = learner.start(step_on_rank0, False)
    check_forwarded(forwarded, [msgpack.packb(message) for message in messages])
    for _ in messages:
        gate.send(b"go")
    assert_same(running.result(), messages)


def test_announces_before_it_decodes(learner, queues):
    """The other ranks know how many messages the step has before rank 0 decodes the first"""
    gate = queues.bind(zmq.PUSH)
    tokenizer, _, counts = rank0_alone(learner, queues)
    learner.run(decode_at_the_gate, gate.address)
    send_and_let_arrive(learner, tokenizer, [5, 6])
    running = learner.start(step_on_rank0, False)
    check_announced(counts, 2)
    for _ in range(2):
        gate.send(b"go")
    assert_same(running.result(), [5, 6])


def test_not_blocking_waits_for_nothing(learner, queues):
    """With blocking=False and no message, rank 0 returns at once"""
    rank0_alone(learner, queues)
    assert_same(learner.start(step_on_rank0, False).result(1.0), [])
    # A right solution needs far less than a millisecond, and one quick try is enough.
    check(
        learner.run(seconds_of_a_step, 8) < 0.005,
        en="With blocking=False and no message, rank 0 takes its time. Does it wait for one?",
        zh="blocking=False 而没有消息时，rank 0 花的时间太长。它是在等消息吗？",
    )


def test_blocking_waits_for_the_first(learner, queues, rng):
    """With blocking=True rank 0 waits in `get_raw` for the first message"""
    message, bell = rng.randrange(1000), queues.bind(zmq.PULL)
    tokenizer, forwarded, counts = rank0_alone(learner, queues)
    learner.run(ring_when_asked, 0, bell.address)
    running = learner.start(step_on_rank0, True)
    check(
        not bell.nothing_arrives(1.0),
        en="With blocking=True and no message, rank 0 does not wait in `get_raw`.",
        zh="blocking=True 而没有消息时，rank 0 没有在 `get_raw` 里等待。",
    )
    tokenizer.send(msgpack.packb(message))
    assert_same(running.result(), [message])
    check_forwarded(forwarded, [msgpack.packb(message)])
    check_announced(counts, 1)


def test_blocking_step_is_never_empty(learner, queues, rng):
    """With blocking=True the step has at least one message"""
    message = rng.randrange(1000)
    tokenizer, _, _ = rank0_alone(learner, queues)
    running = learner.start(step_on_rank0, True)
    tokenizer.send(msgpack.packb(message))
    assert_same(
        running.result(),
        [message],
        en="With blocking=True the step should wait for a message and return it.",
        zh="blocking=True 时，这一步应当等到一条消息，并返回它。",
    )


def test_blocking_takes_all_that_is_there(learner, queues, rng):
    """With blocking=True the step has all messages that have arrived, and waits for no other"""
    messages = rng.sample(range(1000), 4)
    tokenizer, forwarded, counts = rank0_alone(learner, queues)
    send_and_let_arrive(learner, tokenizer, messages)
    assert_same(learner.start(step_on_rank0, True).result(1.0), messages)
    check_forwarded(forwarded, [msgpack.packb(message) for message in messages])
    check_announced(counts, len(messages))


def test_arrival_during_a_step(learner, queues, rng):
    """Messages that arrive while rank 0 forwards belong to one step on all ranks alike"""
    messages = rng.sample(range(1000), 6)
    tokenizer, forwarded, counts = rank0_alone(learner, queues)
    send_and_let_arrive(learner, tokenizer, messages[:2])
    for message in messages[2:]:
        tokenizer.send(msgpack.packb(message))
    learner.run(arrive_while_forwarding, 4)
    steps = learner.run(steps_until, False, 6)
    assert_same([message for step in steps for message in step], messages)
    for step in steps:
        check_forwarded(forwarded, [msgpack.packb(message) for message in step])
        check_announced(counts, len(step))


def test_every_step_is_announced_once(learner, queues):
    """Rank 0 asks the group exactly once a step, however many messages it has"""
    tokenizer, _, counts = rank0_alone(learner, queues)
    learner.run(count_broadcasts)
    for number in (0, 1, 3):
        send_and_let_arrive(learner, tokenizer, list(range(number)))
        learner.run(step_on_rank0, False)
    check(
        learner.run(broadcasts) == 3,
        en="Three steps should be three broadcasts, or the other ranks take one step for another.",
        zh="三步就应当广播三次，否则其他 rank 会把这一步当成那一步。",
    )
    assert_same([int(counts.receive()) for _ in range(3)], [0, 1, 3])


def test_undecodable_on_rank0(learner, queues):
    """A message that cannot be decoded is forwarded all the same, and the next step is right"""
    raws = [msgpack.packb(1), b"\xc1", b"", msgpack.packb(2)]
    tokenizer, forwarded, counts = rank0_alone(learner, queues)
    for raw in raws:
        tokenizer.send(raw)
    learner.run(let_arrive, len(raws))
    with learner.raises(ValueError):
        learner.run(step_on_rank0, False)
    check_forwarded(forwarded, raws)
    check_announced(counts, len(raws))
    send_and_let_arrive(learner, tokenizer, [7])
    assert_same(learner.run(step_on_rank0, False), [7])
    check_forwarded(forwarded, [msgpack.packb(7)])
    check_announced(counts, 1)


def test_undecodable_on_another_rank(learner, queues):
    """After a message that cannot be decoded, the next step of another rank is right"""
    ranks, counts = rank1_alone(learner, queues)
    for raw in (msgpack.packb(1), b"\xc1", msgpack.packb(2), msgpack.packb(7)):
        ranks.send(raw)
    counts.send(b"3")
    counts.send(b"1")
    learner.run(step_in_spite, 1)
    assert_same(
        learner.run(step_on_rank, 1),
        [7],
        en="After a message that cannot be decoded, the rank is out of step with the others.",
        zh="遇到一条无法解码的消息之后，这个 rank 就和其他 rank 不同步了。",
    )


def test_other_rank_lets_the_exception_out(learner, queues):
    """What `decode` raises on another rank is not swallowed"""
    ranks, counts = rank1_alone(learner, queues)
    for raw in (msgpack.packb(1), b"\xc1", msgpack.packb(2)):
        ranks.send(raw)
    counts.send(b"3")
    with learner.raises(ValueError):
        learner.run(step_on_rank, 1)


def test_takes_no_more_than_announced(learner, queues, rng):
    """Another rank leaves what has arrived already to the step it belongs to"""
    messages = rng.sample(range(1000), 4)
    messages.insert(2, messages[1])  # two that are equal
    ranks, counts = rank1_alone(learner, queues)
    for message in messages:
        ranks.send(msgpack.packb(message))
    learner.run(let_arrive_at_rank, 1, 5)
    for number in (b"1", b"0", b"3", b"1"):
        counts.send(number)
    steps = [learner.run(step_on_rank, 1) for _ in range(4)]
    assert_same(steps, [messages[:1], [], messages[1:4], messages[4:]])


def test_waits_for_what_is_announced(learner, queues, rng):
    """Another rank waits for a message that was announced and has not come yet"""
    messages, bell = rng.sample(range(1000), 3), queues.bind(zmq.PULL)
    ranks, counts = rank1_alone(learner, queues)
    learner.run(ring_when_asked, 1, bell.address)
    for message in messages[:2]:
        ranks.send(msgpack.packb(message))
    learner.run(let_arrive_at_rank, 1, 2)
    counts.send(b"3")
    running = learner.start(step_on_rank, 1)
    check(
        not bell.nothing_arrives(1.0),
        en="Three messages were announced and two have come, but the rank does not wait in `get_raw`.",
        zh="宣布了三条消息，只到了两条，这个 rank 却没有在 `get_raw` 里等待。",
    )
    ranks.send(msgpack.packb(messages[2]))
    assert_same(running.result(), messages)
