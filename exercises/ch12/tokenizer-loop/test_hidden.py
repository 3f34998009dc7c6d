"""Everything that may be in the queue, and everything that must come out of it, in order."""

import msgpack
import pytest
import zmq

from judge.kit import assert_same, check

# --- beside the learner's code --------------------------------------------------------------------


def open_queues(here, requests, to_scheduler, to_frontend):
    """What `serve_once` is given: queues on real sockets, and a tokenizer that counts its calls."""
    import dataclasses
    from collections import deque

    import msgpack
    import torch
    import zmq
    from minisgl.core import SamplingParams

    def plain(value):
        if isinstance(value, torch.Tensor):
            return ["Tensor", str(value.dtype), list(value.shape), value.tolist()]
        if dataclasses.is_dataclass(value):
            values = [getattr(value, field.name) for field in dataclasses.fields(value)]
            return [type(value).__name__, *map(plain, values)]
        return [plain(part) for part in value] if isinstance(value, list) else value

    def built(value):
        if isinstance(value, list) and value and isinstance(value[0], str):
            params = value[0] == "SamplingParams"
            cls = SamplingParams if params else getattr(here.module, value[0])
            return cls(*map(built, value[1:]))
        return [built(part) for part in value] if isinstance(value, list) else value

    def connected(kind, address):
        socket = zmq.Context.instance().socket(kind)
        socket.linger = 0
        socket.connect(address)
        return socket

    class Requests:
        def __init__(self):
            self.socket = connected(zmq.PULL, requests)
            self.arrived = deque()
            self.patience = 200  # milliseconds
            self.looks_before_first = 0
            self.any_taken = False

        def wait_until_there_are(self, count):
            while len(self.arrived) < count:
                self.arrived.append(self.socket.recv())

        def get(self):
            if not self.arrived and not self.socket.poll(self.patience):
                raise TimeoutError("`get` waits, but no message is left")
            self.wait_until_there_are(1)
            self.any_taken = True
            return built(msgpack.unpackb(self.arrived.popleft()))

        def empty(self):
            self.looks_before_first += not self.any_taken
            return not self.arrived and not self.socket.poll(0)

    class Outlet:
        def __init__(self, address):
            self.socket = connected(zmq.PUSH, address)

        def put(self, message):
            self.socket.send(msgpack.packb(plain(message)))

    class CountingTokenizer:
        """The first two ids of a prompt are the number of the call and the prompt's place in it."""

        def __init__(self):
            self.calls = self.calls_back = 0

        def tokenize(self, prompts):
            if not prompts:
                raise IndexError("tokenize: the list of prompts is empty")
            self.calls += 1
            texts = [p if isinstance(p, str) else p[-1]["content"] for p in prompts]
            return [[self.calls, place, *map(ord, text)] for place, text in enumerate(texts)]

        def detokenize(self, tokens):
            if not tokens:
                raise IndexError("detokenize: the list of tokens is empty")
            self.calls_back += 1
            # Token 0 is half a character, which is no text yet.
            return [
                f"{self.calls_back}:{place}:{uid}:{token}" if token else ""
                for place, (uid, token) in enumerate(tokens)
            ]

    here.requests = Requests()
    here.outlets = [Outlet(to_scheduler), Outlet(to_frontend)]
    here.tokenizer = CountingTokenizer()


def serve(here, count, limit):
    """One turn, when `count` messages have arrived; an empty message marks its end."""
    here.requests.wait_until_there_are(count)
    here.module.serve_once(here.requests, *here.outlets, here.tokenizer, limit)
    for outlet in here.outlets:
        outlet.socket.send(b"")


def serve_and_count_looks(here):
    """Wait for a message as long as it takes; how often the code has asked `empty` meanwhile."""
    here.requests.patience = None
    here.module.serve_once(here.requests, *here.outlets, here.tokenizer, 1)
    here.outlets[0].socket.send(b"")
    return here.requests.looks_before_first


def seconds_of_a_turn(here, limit):
    import time

    here.requests.wait_until_there_are(1)
    started = time.perf_counter()
    here.module.serve_once(here.requests, *here.outlets, here.tokenizer, limit)
    return time.perf_counter() - started


def unwrapped(here, message):
    """The numbers in what `unwrap` gives for a message; a list stands for a batch, a number for an abort."""

    def built(part):
        if isinstance(part, list):
            return here.module.BatchTokenizerMsg([built(inner) for inner in part])
        return here.module.AbortMsg(part)

    return [single.uid for single in here.module.unwrap(built(message))]


# --- the tests' own side: the API server and the scheduler ----------------------------------------


class Peers:
    """The other ends of the three queues. A message is a list: the name of its class, its fields."""

    def __init__(self, learner, queues):
        self.learner = learner
        self.requests = queues.bind(zmq.PUSH)
        self.outlets = [queues.bind(zmq.PULL), queues.bind(zmq.PULL)]
        learner.run(open_queues, *[peer.address for peer in (self.requests, *self.outlets)])

    def send(self, *messages):
        for message in messages:
            self.requests.send(msgpack.packb(message))

    def turn(self, *messages, limit=100, waiting=0):
        """Send `messages`; after a turn, what the scheduler and the API server have received.

        `waiting` counts the messages that were sent before and are still there.
        """
        self.send(*messages)
        self.learner.run(serve, waiting + len(messages), limit)
        return [self.received(peer) for peer in self.outlets]

    def received(self, peer):
        raws = list(iter(peer.receive, b""))
        return [msgpack.unpackb(raw) for raw in raws]


def tokenize(uid, text, temperature=0.0):
    return ["TokenizeMsg", uid, text, params(temperature)]


def params(temperature=0.0):
    return ["SamplingParams", temperature, -1, 1.0, False, 64]


def user(uid, call, place, text, temperature=0.0):
    """What the scheduler should get for the prompt that was the one at `place` in that call."""
    ids = [call, place, *map(ord, text)]
    return ["UserMsg", uid, ["Tensor", "torch.int32", [len(ids)], ids], params(temperature)]


def test_unwrap(learner):
    """`unwrap` finds every message in a batch, in batches in it, and in none"""
    for message, uids in ((7, [7]), ([], []), ([1, 2, 3], [1, 2, 3]), ([[], 4], [4])):
        assert_same(learner.run(unwrapped, message), uids)
    assert_same(learner.run(unwrapped, [1, [2, [3, [], 4]], 5, [[6]]]), [1, 2, 3, 4, 5, 6])


def test_chat(learner, queues, rng):
    """A chat is handed to the tokenizer as it is"""
    text = f"你好 {rng.random()}"
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]
    to_scheduler, _ = Peers(learner, queues).turn(tokenize(7, chat), tokenize(8, "no chat"))
    users = [user(7, 1, 0, text), user(8, 1, 1, "no chat")]
    assert_same(to_scheduler, [["BatchBackendMsg", users]])


def test_parameters_stay_with_their_prompt(learner, queues, rng):
    """Each prompt keeps its own uid and its own sampling parameters"""
    prompts = [(rng.randrange(1000), f"prompt {i}", rng.random()) for i in range(6)]
    to_scheduler, _ = Peers(learner, queues).turn(*[tokenize(*p) for p in prompts], limit=6)
    users = [user(uid, 1, i, text, t) for i, (uid, text, t) in enumerate(prompts)]
    assert_same(to_scheduler, [["BatchBackendMsg", users]])


def test_batches_in_batches(learner, queues):
    """Messages come out of batches in their order, however deep they lie"""
    inner = ["BatchTokenizerMsg", [tokenize(2, "b"), ["BatchTokenizerMsg", [["AbortMsg", 1]]]]]
    to_scheduler, _ = Peers(learner, queues).turn(
        ["BatchTokenizerMsg", [tokenize(1, "a"), inner, tokenize(3, "c")]], ["AbortMsg", 4], limit=5
    )
    together = [
        user(1, 1, 0, "a"),
        user(2, 1, 1, "b"),
        ["AbortBackendMsg", 1],
        user(3, 1, 2, "c"),
        ["AbortBackendMsg", 4],
    ]
    assert_same(to_scheduler, [["BatchBackendMsg", together]])


def test_one_call_per_turn(learner, queues):
    """The tokenizer is called once a turn, with all that the turn has for it"""
    peers = Peers(learner, queues)
    for call in (1, 2, 3):
        messages = [tokenize(1, "a"), ["DetokenizeMsg", 2, 20, False]] * 2
        to_scheduler, to_frontend = peers.turn(*messages, limit=4)
        users = [user(1, call, place, "a") for place in (0, 1)]
        replies = [["UserReply", 2, f"{call}:{place}:2:20", False] for place in (0, 1)]
        assert_same(to_scheduler, [["BatchBackendMsg", users]])
        assert_same(to_frontend, [["BatchFrontendMsg", replies]])


def test_turn_ends_when_nothing_is_there(learner, queues):
    """Below the limit, a turn ends as soon as the queue is empty"""
    peers = Peers(learner, queues)
    to_scheduler, _ = peers.turn(tokenize(1, "a"), ["AbortMsg", 2], limit=1000)
    assert_same(to_scheduler, [["BatchBackendMsg", [user(1, 1, 0, "a"), ["AbortBackendMsg", 2]]]])


def test_nobody_waits_for_more(learner, queues):
    """A single message is worked on at once, not after a while"""
    peers = Peers(learner, queues)
    seconds = []
    for uid in range(8):
        peers.send(["AbortMsg", uid])
        seconds.append(learner.run(seconds_of_a_turn, 1000))
    check(
        min(seconds) < 0.005,
        en="A turn with one message takes its time. Does it wait for more to come?",
        zh="只有一条消息的一轮，花的时间太长。它是在等更多消息到来吗？",
    )


def test_waits_asleep(learner, queues):
    """As long as nothing is there, the process sleeps in `get`"""
    peers = Peers(learner, queues)
    running = learner.start(serve_and_count_looks)
    for _ in range(20):  # each look is a round trip to the learner's process
        running.done()
    peers.send(["AbortMsg", 7])
    check(
        running.result() <= 3,
        en="`empty` is asked again and again while nothing is there. Who waits, and who only looks?",
        zh="没有消息的时候，`empty` 被问了一遍又一遍。谁负责等待，谁只是看一眼？",
    )
    assert_same(peers.received(peers.outlets[0]), [["AbortBackendMsg", 7]])


def test_rest_is_not_lost(learner, queues):
    """With more messages than the limit, each comes out, turn by turn, in order"""
    peers = Peers(learner, queues)
    peers.send(*[["AbortMsg", uid] for uid in range(8)])
    for first, end in ((0, 3), (3, 6), (6, 8)):
        to_scheduler, _ = peers.turn(limit=3, waiting=8 - first)
        aborts = [["AbortBackendMsg", uid] for uid in range(first, end)]
        assert_same(to_scheduler, [["BatchBackendMsg", aborts]])


def test_batch_is_not_cut(learner, queues):
    """A batch that goes beyond the limit is taken whole, and no other message after it"""
    aborts = [["AbortMsg", uid] for uid in range(8)]
    peers = Peers(learner, queues)
    messages = [aborts[0], ["BatchTokenizerMsg", aborts[1:5]], ["BatchTokenizerMsg", aborts[5:]]]
    found = [["AbortBackendMsg", uid] for uid in range(9)]
    first, _ = peers.turn(*messages, limit=3)
    assert_same(first, [["BatchBackendMsg", found[:5]]])
    second, _ = peers.turn(["AbortMsg", 8], limit=2, waiting=1)
    assert_same(second, [["BatchBackendMsg", found[5:8]]])
    third, _ = peers.turn(limit=2, waiting=1)
    assert_same(third, found[8:])


def test_abort_right_after_its_prompt(learner, queues):
    """A prompt that is aborted in the same turn is passed on, and so is its abort"""
    to_scheduler, _ = Peers(learner, queues).turn(tokenize(7, "a"), ["AbortMsg", 7], limit=2)
    assert_same(to_scheduler, [["BatchBackendMsg", [user(7, 1, 0, "a"), ["AbortBackendMsg", 7]]]])


def test_same_uid_again(learner, queues):
    """Prompts and aborts of one uid keep their order, and none is left out"""
    messages = [
        ["AbortMsg", 7],
        tokenize(7, "a"),
        ["AbortMsg", 7],
        ["AbortMsg", 7],
        tokenize(7, "b"),
    ]
    to_scheduler, _ = Peers(learner, queues).turn(*messages, limit=5)
    abort = ["AbortBackendMsg", 7]
    together = [abort, user(7, 1, 0, "a"), abort, abort, user(7, 1, 1, "b")]
    assert_same(to_scheduler, [["BatchBackendMsg", together]])


def test_every_token_has_its_reply(learner, queues):
    """Each token gets a reply, in order, also if it adds no text"""
    tokens = [(1, 10, False), (2, 0, False), (1, 0, True), (2, 20, False), (2, 0, True)]
    messages = [["DetokenizeMsg", *token] for token in tokens]
    _, to_frontend = Peers(learner, queues).turn(*messages, limit=5)
    texts = ["1:0:1:10", "", "", "1:3:2:20", ""]
    replies = [
        ["UserReply", uid, text, finished]
        for (uid, _, finished), text in zip(tokens, texts, strict=True)
    ]
    assert_same(to_frontend, [["BatchFrontendMsg", replies]])


def test_reply_of_an_aborted_request(learner, queues):
    """A token that comes after the abort still gets its reply, and the abort is passed on"""
    to_scheduler, to_frontend = Peers(learner, queues).turn(
        ["DetokenizeMsg", 7, 1, False], ["AbortMsg", 7], ["DetokenizeMsg", 7, 2, True], limit=3
    )
    replies = [["UserReply", 7, "1:0:7:1", False], ["UserReply", 7, "1:1:7:2", True]]
    assert_same(to_scheduler, [["AbortBackendMsg", 7]])
    assert_same(to_frontend, [["BatchFrontendMsg", replies]])


def test_only_aborts(learner, queues):
    """A turn with aborts alone needs no tokenizer, and the API server hears nothing"""
    to_scheduler, to_frontend = Peers(learner, queues).turn(["AbortMsg", 1], limit=1)
    assert_same([to_scheduler, to_frontend], [[["AbortBackendMsg", 1]], []])


def test_empty_batches(learner, queues):
    """An empty batch sends nothing, and does not end the turn"""
    peers = Peers(learner, queues)
    empty = ["BatchTokenizerMsg", []]
    assert_same(peers.turn(empty), [[], []])
    to_scheduler, _ = peers.turn(empty, empty, ["AbortMsg", 1], empty, limit=1)
    assert_same(to_scheduler, [["AbortBackendMsg", 1]])


@pytest.mark.parametrize("inside", [False, True])
def test_stray_message_is_named(learner, queues, inside):
    """What is no message to the tokenizer is refused by name, alone and in a batch"""
    peers = Peers(learner, queues)
    stray = ["UserReply", 7, "lost", True]
    peers.send(["BatchTokenizerMsg", [["AbortMsg", 1], stray]] if inside else stray)
    with learner.raises(TypeError, match="UserReply"):
        learner.run(serve, 1, 2 if inside else 1)


def test_any_mixture(learner, queues, rng):
    """Turn after turn of anything comes out complete and in order"""
    peers = Peers(learner, queues)
    for call in range(1, 6):
        singles = mixture(rng)
        prompts = [message for message in singles if message[0] == "TokenizeMsg"]
        tokens = [message for message in singles if message[0] == "DetokenizeMsg"]
        work = [
            ["AbortBackendMsg", message[1]]
            if message[0] == "AbortMsg"
            else user(message[1], call, prompts.index(message), message[2], message[3][1])
            for message in singles
            if message[0] != "DetokenizeMsg"
        ]
        replies = [
            ["UserReply", uid, f"{call}:{place}:{uid}:{token}", finished]
            for place, (_, uid, token, finished) in enumerate(tokens)
        ]
        cut = rng.randrange(len(singles))
        batch = ["BatchTokenizerMsg", singles[cut:]]
        to_scheduler, to_frontend = peers.turn(*singles[:cut], batch)
        assert_same(to_scheduler, [["BatchBackendMsg", work]])
        assert_same(to_frontend, [["BatchFrontendMsg", replies]])


def mixture(rng):
    """Messages in any order, several of each kind; the first one aborts a uid that comes again."""
    again, other, answered = rng.sample(range(1000), 3)
    pool = [
        tokenize(again, f"词 {rng.random()}", rng.random()),
        tokenize(other, f"word {rng.random()}", rng.random()),
        ["AbortMsg", other],
        ["DetokenizeMsg", answered, rng.randrange(1, 1000), False],
        ["DetokenizeMsg", answered, rng.randrange(1, 1000), True],
        *[["AbortMsg", rng.randrange(1000)] for _ in range(rng.randrange(3))],
        *[tokenize(rng.randrange(1000), f"{rng.random()}") for _ in range(rng.randrange(3))],
    ]
    rng.shuffle(pool)
    return [["AbortMsg", again], *pool]
