"""One turn of the loop after the other. The tests are the API server and the scheduler."""

import dataclasses

import msgpack
import zmq

from judge.kit import assert_same, check

# --- these run beside your code; `here` keeps what they make until the test ends ----------------


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

        def wait_until_there_are(self, count):
            while len(self.arrived) < count:
                self.arrived.append(self.socket.recv())

        def get(self):
            if not self.arrived and not self.socket.poll(self.patience):
                raise TimeoutError("`get` waits, but no message is left")
            self.wait_until_there_are(1)
            return built(msgpack.unpackb(self.arrived.popleft()))

        def empty(self):
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


FIELDS = {
    "UserMsg": ["uid", "input_ids", "sampling_params"],
    "AbortBackendMsg": ["uid"],
    "BatchBackendMsg": ["data"],
    "UserReply": ["uid", "incremental_output", "finished"],
    "BatchFrontendMsg": ["data"],
    "SamplingParams": ["temperature", "top_k", "top_p", "ignore_eos", "max_tokens"],
    "Tensor": ["dtype", "shape", "values"],
}
CLASSES = {name: dataclasses.make_dataclass(name, fields) for name, fields in FIELDS.items()}


def named(value):
    """A message with the names of its fields, so that a difference is told by them."""
    if not isinstance(value, list):
        return value
    name = value[0] if value and isinstance(value[0], str) else None
    parts = [named(part) for part in value]
    if name in FIELDS and len(value) == 1 + len(FIELDS[name]):
        return CLASSES[name](*parts[1:])
    return parts


def singles(got):
    """The single messages that a receiver has got, in batches or not."""
    messages = [named(message) for message in got]
    data = [getattr(message, "data", None) for message in messages]
    return [
        single
        for message, parts in zip(messages, data, strict=True)
        for single in (parts if isinstance(parts, list) else [message])
    ]


def check_sent(got, expected):
    """A receiver has got these messages in a turn: one, or none."""
    check(
        len(got) <= 1,
        en="A receiver gets more than one `put` in a turn.",
        zh="一个接收者在一轮里收到了不止一次 `put`。",
    )
    check(
        got or not expected,
        en="There is something for a receiver in this turn, but it gets nothing.",
        zh="这一轮里有要发给某个接收者的内容，它却什么也没有收到。",
    )
    check(
        expected or not got,
        en="A receiver gets a message in a turn that has nothing for it.",
        zh="这一轮里没有要发给某个接收者的内容，它却收到了消息。",
    )
    kinds = [[type(each).__name__ for each in singles(sent)] for sent in (got, expected)]
    check(
        kinds[0] == kinds[1],
        en="A receiver does not get one message for each that the turn has for it, in the same order.",
        zh="接收者收到的消息，和这一轮要发给它的没有按顺序一一对应。",
    )
    if expected:
        assert_same(named(got[0]), named(expected[0]))


def tokenize(uid, text, *changed):
    return ["TokenizeMsg", uid, text, params(*changed)]


def params(temperature=0.0, top_k=-1, top_p=1.0, ignore_eos=False, max_tokens=1024):
    return ["SamplingParams", temperature, top_k, top_p, ignore_eos, max_tokens]


def user(uid, call, place, text, *changed):
    """What the scheduler should get for the prompt that was the one at `place` in that call."""
    ids = [call, place, *map(ord, text)]
    return ["UserMsg", uid, ["Tensor", "torch.int32", [len(ids)], ids], params(*changed)]


def test_prompt(learner, queues, rng):
    """A prompt becomes a message to the scheduler"""
    uid, temperature = rng.randrange(1000), rng.random()
    to_scheduler, to_frontend = Peers(learner, queues).turn(tokenize(uid, "Hello", temperature))
    check_sent(to_scheduler, [user(uid, 1, 0, "Hello", temperature)])
    check_sent(to_frontend, [])


def test_token(learner, queues, rng):
    """A token becomes a reply to the API server"""
    uid, token = rng.randrange(1000), rng.randrange(1, 1000)
    to_scheduler, to_frontend = Peers(learner, queues).turn(["DetokenizeMsg", uid, token, True])
    check_sent(to_frontend, [["UserReply", uid, f"1:0:{uid}:{token}", True]])
    check_sent(to_scheduler, [])


def test_all_that_is_there(learner, queues):
    """What is there is worked through in one turn, and goes out in one batch per receiver"""
    to_scheduler, to_frontend = Peers(learner, queues).turn(
        tokenize(1, "one"),
        ["DetokenizeMsg", 4, 40, False],
        ["BatchTokenizerMsg", [tokenize(2, "two"), ["DetokenizeMsg", 5, 50, True]]],
        tokenize(3, "three"),
    )
    users = [user(1, 1, 0, "one"), user(2, 1, 1, "two"), user(3, 1, 2, "three")]
    replies = [["UserReply", 4, "1:0:4:40", False], ["UserReply", 5, "1:1:5:50", True]]
    check_sent(to_scheduler, [["BatchBackendMsg", users]])
    check_sent(to_frontend, [["BatchFrontendMsg", replies]])


def test_abort_stays_behind_its_prompt(learner, queues, rng):
    """An abort is passed on, and does not overtake the prompt that it ends"""
    uid = rng.randrange(1000)
    to_scheduler, _ = Peers(learner, queues).turn(
        tokenize(uid, "never mind"), ["AbortMsg", uid], tokenize(uid + 1, "go on")
    )
    together = [
        user(uid, 1, 0, "never mind"),
        ["AbortBackendMsg", uid],
        user(uid + 1, 1, 1, "go on"),
    ]
    check_sent(to_scheduler, [["BatchBackendMsg", together]])


def test_limit(learner, queues):
    """A turn takes no more when the limit is reached; the rest waits for the next one"""
    peers = Peers(learner, queues)
    first, _ = peers.turn(*[["AbortMsg", uid] for uid in range(5)], limit=3)
    check_sent(first, [["BatchBackendMsg", [["AbortBackendMsg", uid] for uid in range(3)]]])
    second, _ = peers.turn(limit=3, waiting=2)
    check_sent(second, [["BatchBackendMsg", [["AbortBackendMsg", uid] for uid in (3, 4)]]])
