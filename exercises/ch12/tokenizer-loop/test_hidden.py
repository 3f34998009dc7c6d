"""Everything that may be in the queue, and everything that must come out of it, in order."""

import dataclasses

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


def ids_of(got):
    """The ids of each prompt that the scheduler has got, as far as they are in a row."""
    ids = [getattr(getattr(each, "input_ids", None), "values", None) for each in singles(got)]
    return [each for each in ids if isinstance(each, list)]


def tokenize(uid, text, *changed):
    return ["TokenizeMsg", uid, text, params(*changed)]


def params(temperature=0.0, top_k=-1, top_p=1.0, ignore_eos=False, max_tokens=1024):
    return ["SamplingParams", temperature, top_k, top_p, ignore_eos, max_tokens]


def user(uid, call, place, text, *changed):
    """What the scheduler should get for the prompt that was the one at `place` in that call."""
    ids = [call, place, *map(ord, text)]
    return ["UserMsg", uid, ["Tensor", "torch.int32", [len(ids)], ids], params(*changed)]


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
    check(
        [len(ids) for ids in ids_of(to_scheduler)] in ([], [2 + len(text), 2 + len("no chat")]),
        en="The tokenizer does not get the text and the chat as they are in the messages.",
        zh="交给分词器的文本和聊天记录，和消息里的不一样。",
    )
    check_sent(to_scheduler, [["BatchBackendMsg", users]])


def test_parameters_stay_with_their_prompt(learner, queues, rng):
    """Each prompt keeps its own uid and its own sampling parameters"""
    prompts = [
        (
            uid,
            f"prompt {uid}",
            rng.random(),
            rng.randint(1, 50),
            rng.random(),
            True,
            rng.randint(1, 500),
        )
        for uid in rng.sample(range(1000), 6)
    ]
    to_scheduler, _ = Peers(learner, queues).turn(*[tokenize(*p) for p in prompts], limit=6)
    users = [user(uid, 1, i, *rest) for i, (uid, *rest) in enumerate(prompts)]
    check_sent(to_scheduler, [["BatchBackendMsg", users]])


def test_batches_in_batches(learner, queues):
    """Messages come out of batches in their order, however deep they lie"""
    inner = ["BatchTokenizerMsg", [tokenize(2, "b"), ["BatchTokenizerMsg", [["AbortMsg", 9]]]]]
    to_scheduler, _ = Peers(learner, queues).turn(
        ["BatchTokenizerMsg", [tokenize(1, "a"), inner, tokenize(3, "c")]], ["AbortMsg", 4], limit=5
    )
    together = [
        user(1, 1, 0, "a"),
        user(2, 1, 1, "b"),
        ["AbortBackendMsg", 9],
        user(3, 1, 2, "c"),
        ["AbortBackendMsg", 4],
    ]
    check_sent(to_scheduler, [["BatchBackendMsg", together]])


def test_one_call_per_turn(learner, queues):
    """The tokenizer is called once a turn, with all that the turn has for it"""
    peers = Peers(learner, queues)
    for call in (1, 2, 3):
        messages = [tokenize(1, "a"), ["DetokenizeMsg", 2, 20, False]] * 2
        to_scheduler, to_frontend = peers.turn(*messages, limit=4)
        users = [user(1, call, place, "a") for place in (0, 1)]
        replies = [["UserReply", 2, f"{call}:{place}:2:20", False] for place in (0, 1)]
        check_sent(to_scheduler, [["BatchBackendMsg", users]])
        check_sent(to_frontend, [["BatchFrontendMsg", replies]])


def test_all_prompts_in_one_call(learner, queues):
    """All prompts of a turn go to the tokenizer in one call"""
    peers = Peers(learner, queues)
    messages = [tokenize(1, "a"), ["AbortMsg", 5], tokenize(2, "b"), tokenize(3, "c")]
    to_scheduler, _ = peers.turn(*messages, limit=4)
    check(
        all(ids[:1] == [1] for ids in ids_of(to_scheduler)),
        en="`tokenize` should be called once, with all prompts of the turn.",
        zh="`tokenize` 应当只调用一次，把这一轮的所有提示词都交给它。",
    )


def test_turn_ends_when_nothing_is_there(learner, queues):
    """Below the limit, a turn ends as soon as the queue is empty"""
    peers = Peers(learner, queues)
    to_scheduler, _ = peers.turn(["AbortMsg", 2], tokenize(1, "a"), limit=1000)
    check_sent(to_scheduler, [["BatchBackendMsg", [["AbortBackendMsg", 2], user(1, 1, 0, "a")]]])


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
    check_sent(peers.received(peers.outlets[0]), [["AbortBackendMsg", 7]])


def test_rest_is_not_lost(learner, queues):
    """With more messages than the limit, each comes out, turn by turn, in order"""
    peers = Peers(learner, queues)
    peers.send(*[["AbortMsg", uid] for uid in range(8)])
    for first, end in ((0, 3), (3, 6), (6, 8)):
        to_scheduler, _ = peers.turn(limit=3, waiting=8 - first)
        aborts = [["AbortBackendMsg", uid] for uid in range(first, end)]
        check_sent(to_scheduler, [["BatchBackendMsg", aborts]])


def test_batch_is_not_cut(learner, queues):
    """A batch that goes beyond the limit is taken whole, and no other message after it"""
    aborts = [["AbortMsg", uid] for uid in range(8)]
    peers = Peers(learner, queues)
    messages = [aborts[0], ["BatchTokenizerMsg", aborts[1:5]], ["BatchTokenizerMsg", aborts[5:]]]
    found = [["AbortBackendMsg", uid] for uid in range(9)]
    first, _ = peers.turn(*messages, limit=3)
    check_sent(first, [["BatchBackendMsg", found[:5]]])
    second, _ = peers.turn(["AbortMsg", 8], limit=2, waiting=1)
    check_sent(second, [["BatchBackendMsg", found[5:8]]])
    third, _ = peers.turn(limit=2, waiting=1)
    check_sent(third, found[8:])


def test_abort_right_after_its_prompt(learner, queues):
    """A prompt that is aborted in the same turn is passed on, and so is its abort"""
    to_scheduler, _ = Peers(learner, queues).turn(tokenize(7, "a"), ["AbortMsg", 7], limit=2)
    check_sent(to_scheduler, [["BatchBackendMsg", [user(7, 1, 0, "a"), ["AbortBackendMsg", 7]]]])


def test_no_abort_is_left_out(learner, queues):
    """Every abort is passed on, also if its prompt comes in the same turn"""
    messages = [tokenize(7, "a"), ["AbortMsg", 7], tokenize(8, "b"), ["AbortMsg", 9]]
    abort = CLASSES["AbortBackendMsg"]
    to_scheduler, _ = Peers(learner, queues).turn(*messages, limit=4)
    check(
        [each for each in singles(to_scheduler) if type(each) is abort] == [abort(7), abort(9)],
        en="Not every abort has been passed on, in order.",
        zh="中止没有全部按顺序传递出去。",
    )


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
    check_sent(to_scheduler, [["BatchBackendMsg", together]])


def test_every_token_has_its_reply(learner, queues):
    """Each token gets a reply, also if it adds no text"""
    tokens = [(1, 10, False), (1, 0, False), (2, 20, False), (2, 0, False), (2, 30, True)]
    messages = [["DetokenizeMsg", *token] for token in tokens]
    _, to_frontend = Peers(learner, queues).turn(*messages, limit=5)
    texts = ["1:0:1:10", "", "1:2:2:20", "", "1:4:2:30"]
    replies = [
        ["UserReply", uid, text, finished]
        for (uid, _, finished), text in zip(tokens, texts, strict=True)
    ]
    check_sent(to_frontend, [["BatchFrontendMsg", replies]])


def test_end_without_text(learner, queues):
    """The last token of an answer gets its reply, also if it adds no text"""
    _, to_frontend = Peers(learner, queues).turn(["DetokenizeMsg", 7, 0, True], limit=1)
    check_sent(to_frontend, [["UserReply", 7, "", True]])


def test_replies_keep_their_order(learner, queues):
    """The replies stand in the order of the tokens, whatever answer each belongs to"""
    tokens = [(5, 50, False), (3, 30, False), (5, 51, True), (3, 31, False)]
    messages = [["DetokenizeMsg", *token] for token in tokens]
    _, to_frontend = Peers(learner, queues).turn(*messages, limit=4)
    replies = [
        ["UserReply", uid, f"1:{place}:{uid}:{token}", finished]
        for place, (uid, token, finished) in enumerate(tokens)
    ]
    check_sent(to_frontend, [["BatchFrontendMsg", replies]])


def test_reply_of_an_aborted_request(learner, queues):
    """A token that comes after the abort still gets its reply, and the abort is passed on"""
    to_scheduler, to_frontend = Peers(learner, queues).turn(
        ["DetokenizeMsg", 7, 1, False], ["AbortMsg", 7], ["DetokenizeMsg", 7, 2, True], limit=3
    )
    replies = [["UserReply", 7, "1:0:7:1", False], ["UserReply", 7, "1:1:7:2", True]]
    check_sent(to_scheduler, [["AbortBackendMsg", 7]])
    check_sent(to_frontend, [["BatchFrontendMsg", replies]])


def test_only_aborts(learner, queues):
    """A turn with aborts alone needs no tokenizer, and the API server hears nothing"""
    to_scheduler, to_frontend = Peers(learner, queues).turn(["AbortMsg", 1], limit=1)
    check_sent(to_scheduler, [["AbortBackendMsg", 1]])
    check_sent(to_frontend, [])


def test_empty_batches(learner, queues):
    """An empty batch sends nothing, and does not end the turn"""
    peers = Peers(learner, queues)
    empty = ["BatchTokenizerMsg", []]
    for received in peers.turn(empty):
        check_sent(received, [])
    to_scheduler, _ = peers.turn(empty, empty, ["AbortMsg", 1], empty, limit=1)
    check(
        to_scheduler,
        en="An empty batch has ended the turn, although a message was there and the limit not reached.",
        zh="还有消息，也没到上限，空批次却让这一轮结束了。",
    )
    check_sent(to_scheduler, [["AbortBackendMsg", 1]])


def send_stray(peers, inside):
    stray = ["UserReply", 7, "lost", True]
    peers.send(["BatchTokenizerMsg", [["AbortMsg", 1], stray]] if inside else stray)


@pytest.mark.parametrize("inside", [False, True])
def test_stray_message_is_refused(learner, queues, inside):
    """What is no message to the tokenizer is refused, alone and in a batch"""
    send_stray(Peers(learner, queues), inside)
    with learner.raises(TypeError):
        learner.run(serve, 1, 2 if inside else 1)


@pytest.mark.parametrize("inside", [False, True])
def test_stray_message_is_named(learner, queues, inside):
    """The refusal names the class of the message, alone and in a batch"""
    send_stray(Peers(learner, queues), inside)
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
            else user(message[1], call, prompts.index(message), message[2], *message[3][1:])
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
        check_sent(to_scheduler, [["BatchBackendMsg", work]])
        check_sent(to_frontend, [["BatchFrontendMsg", replies]])


def mixture(rng):
    """Messages in any order, several of each kind; the first one aborts a uid that comes again."""
    again, other, answered, *more = rng.sample(range(1000), 7)
    pool = [
        tokenize(again, f"词 {rng.random()}", rng.random()),
        tokenize(other, f"word {rng.random()}", rng.random()),
        ["AbortMsg", other],
        ["DetokenizeMsg", answered, rng.randrange(1, 1000), False],
        ["DetokenizeMsg", answered, rng.randrange(1, 1000), True],
        *[["AbortMsg", uid] for uid in more[: rng.randrange(3)]],
        *[tokenize(uid, f"{rng.random()}") for uid in more[2 : 2 + rng.randrange(3)]],
    ]
    rng.shuffle(pool)
    return [["AbortMsg", again], *pool]
