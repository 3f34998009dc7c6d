"""Hidden tests: every message both ways, and everything that a decoder must not build.

A message is a tuple of its class's name and its fields, as in `("AbortMsg", 7)`.
"""

import re

import msgpack
import pytest
import torch
from minisgl.core import SamplingParams

from judge.kit import assert_same, check

REFUSALS = (ValueError, TypeError, KeyError)

FIELDS = {
    "BatchTokenizerMsg": ["data"],
    "TokenizeMsg": ["uid", "text", "sampling_params"],
    "DetokenizeMsg": ["uid", "next_token", "finished"],
    "AbortMsg": ["uid"],
    "BatchBackendMsg": ["data"],
    "ExitMsg": [],
    "UserMsg": ["uid", "input_ids", "sampling_params"],
    "AbortBackendMsg": ["uid"],
    "BatchFrontendMsg": ["data"],
    "UserReply": ["uid", "incremental_output", "finished"],
}
GROUPS = {
    "BaseTokenizerMsg": ["BatchTokenizerMsg", "TokenizeMsg", "DetokenizeMsg", "AbortMsg"],
    "BaseBackendMsg": ["BatchBackendMsg", "ExitMsg", "UserMsg", "AbortBackendMsg"],
    "BaseFrontendMsg": ["BatchFrontendMsg", "UserReply"],
}
BATCHES = {
    "BaseTokenizerMsg": "BatchTokenizerMsg",
    "BaseBackendMsg": "BatchBackendMsg",
    "BaseFrontendMsg": "BatchFrontendMsg",
}


def params(rng):
    return SamplingParams(rng.random(), rng.randint(1, 50), rng.random(), True, rng.randint(1, 99))


def parameters_as_data(rng):
    return {"__type__": "SamplingParams", "temperature": rng.random(), "top_k": rng.randint(1, 50)}


def examples(rng):
    """One message of every class, by name."""
    uid, token, text = rng.randrange(2**31), rng.randrange(150_000), f"词元 {rng.random()}"
    ids = torch.randint(0, 150_000, (rng.randint(1, 9),), dtype=torch.int32)
    messages = [
        ("TokenizeMsg", uid, text, params(rng)),
        ("DetokenizeMsg", uid, token, True),
        ("AbortMsg", uid),
        ("BatchTokenizerMsg", [("AbortMsg", token), ("DetokenizeMsg", uid, token, False)]),
        ("ExitMsg",),
        ("UserMsg", uid, ids, params(rng)),
        ("AbortBackendMsg", uid),
        ("BatchBackendMsg", [("UserMsg", token, ids.flip(0), params(rng)), ("ExitMsg",)]),
        ("UserReply", uid, text, False),
        ("BatchFrontendMsg", [("UserReply", token, "", True), ("UserReply", uid, text, False)]),
    ]
    return {message[0]: message for message in messages}


def plain(name, rng):
    """A message without objects inside, as the dict that crosses; any group can read its values."""
    simple = {"uid": rng.randrange(99), "next_token": 1, "finished": True, "text": "a", "data": []}
    return {"__type__": name, **{field: simple.get(field, "b") for field in FIELDS[name]}}


# --- beside the learner's code --------------------------------------------------------------------


def encode(here, message):
    def build(part):
        if isinstance(part, list):
            return [build(item) for item in part]
        if isinstance(part, tuple):
            return getattr(here.module, part[0])(*map(build, part[1:]))
        return part

    return build(message).encoder()


def encode_by_base(here, base, message):
    def build(part):
        if isinstance(part, list):
            return [build(item) for item in part]
        if isinstance(part, tuple):
            return getattr(here.module, part[0])(*map(build, part[1:]))
        return part

    return getattr(here.module, base).encoder(build(message))


def decode(here, base, data):
    from dataclasses import fields, is_dataclass

    def describe(part):
        if isinstance(part, list):
            return [describe(item) for item in part]
        name = type(part).__name__
        if type(part) is getattr(here.module, name, None) and name != "SamplingParams":
            known = fields(part) if is_dataclass(part) else ()
            return (name, *(describe(getattr(part, field.name)) for field in known))
        return part

    return describe(getattr(here.module, base).decoder(data))


def decode_by_message(here, name, values, data):
    """Through a class of the group, and through one of its messages."""
    cls = getattr(here.module, name)
    through_class, through_message = cls.decoder(data), cls(*values).decoder(data)
    return [(type(found).__name__, found.uid) for found in (through_class, through_message)]


def bases_of(here, names, bases):
    return {
        name: [
            base
            for base in bases
            if issubclass(getattr(here.module, name), getattr(here.module, base))
        ]
        for name in names
    }


def build_by_name(here, name, values):
    from dataclasses import fields

    message = getattr(here.module, name)(**values)
    return {field.name: getattr(message, field.name) for field in fields(message)}


def compare_messages(here, name, values):
    """Whether a message equals another with the same contents, and one with another `uid`."""
    make = getattr(here.module, name)
    other = make(**{**values, "uid": values["uid"] + 1}) if "uid" in values else None
    return [make(**values) == make(**values), make(**values) == other]


def travel(encoded):
    """What arrives of the sender's dict: msgpack's own types and nothing else."""
    try:
        return msgpack.unpackb(msgpack.packb(encoded, use_bin_type=True), raw=False)
    except Exception as error:
        check(
            False,
            en=f"msgpack cannot pack what `encoder` gives: {error}. Something in it is neither a "
            "primitive nor a list nor a dict.",
            zh=f"msgpack 无法打包 `encoder` 的结果：{error}。里面还有既不是基本类型、"
            "也不是列表或字典的东西。",
        )


def check_comes_back(sender, receiver, base, message):
    encoded = travel(sender.run(encode, message))
    assert_same(receiver.run(decode, base, encoded), message)


# --- both ways ------------------------------------------------------------------------------------


def test_messages_to_the_tokenizer(sender, receiver, rng):
    """Every message to the tokenizer comes back from its decoder"""
    messages = examples(rng)
    for name in GROUPS["BaseTokenizerMsg"]:
        check_comes_back(sender, receiver, "BaseTokenizerMsg", messages[name])


def test_messages_to_a_scheduler(sender, receiver, rng):
    """Every message to a scheduler comes back from its decoder"""
    messages = examples(rng)
    for name in GROUPS["BaseBackendMsg"]:
        check_comes_back(sender, receiver, "BaseBackendMsg", messages[name])


def test_messages_to_the_api_server(sender, receiver, rng):
    """Every message to the API server comes back from its decoder"""
    messages = examples(rng)
    for name in GROUPS["BaseFrontendMsg"]:
        check_comes_back(sender, receiver, "BaseFrontendMsg", messages[name])


def test_chat(sender, receiver, rng):
    """A chat, a list of dicts, comes back as what it was"""
    chat = [{"role": "system", "content": "简短地回答"}, {"role": "user", "content": "hi"}]
    message = ("TokenizeMsg", rng.randrange(99), chat, params(rng))
    check_comes_back(sender, receiver, "BaseTokenizerMsg", message)


def test_empty_prompt(sender, receiver, rng):
    """A prompt without tokens comes back, with its dtype"""
    message = ("UserMsg", rng.randrange(99), torch.empty(0, dtype=torch.int32), params(rng))
    check_comes_back(sender, receiver, "BaseBackendMsg", message)


def test_batches_in_batches(sender, receiver, rng):
    """Batches come back when they are empty and when they stand in each other"""
    for base, batch in BATCHES.items():
        inner = (batch, [examples(rng)[GROUPS[base][-1]]])
        check_comes_back(sender, receiver, base, (batch, [inner, (batch, []), inner]))


def test_two_ways_of_encoding(learner, rng):
    """`msg.encoder()` and the `encoder` of the base class give the same dict, for every message"""
    messages = examples(rng)
    for base, names in GROUPS.items():
        for name in names:
            by_message = learner.run(encode, messages[name])
            assert_same(learner.run(encode_by_base, base, messages[name]), by_message)


def test_keys_stand_in_order(learner, rng):
    """The keys of every dict stand in the order of the table, the type first"""
    for name, message in examples(rng).items():
        check(
            list(learner.run(encode, message)) == ["__type__", *FIELDS[name]],
            en=f"The keys of an encoded {name} are not as agreed, or stand in another order.",
            zh=f"{name} 编码之后，键和约定的不一样，或者顺序不同。",
        )


def test_decoder_is_static(learner, rng):
    """A decoder can be called on a message and on a class of its group as well"""
    uid = rng.randrange(99)
    for name, values, other in [
        ("DetokenizeMsg", [1, 2, False], "AbortMsg"),
        ("ExitMsg", [], "AbortBackendMsg"),
        ("BatchFrontendMsg", [[]], "UserReply"),
    ]:
        data = {**plain(other, rng), "uid": uid}
        assert_same(learner.run(decode_by_message, name, values, data), [(other, uid)] * 2)


# --- the classes ----------------------------------------------------------------------------------


def test_messages_belong_to_their_bases(learner):
    """Every message is a subclass of its own base class, and of no other"""
    expected = {name: [base] for base, names in GROUPS.items() for name in names}
    found = learner.run(bases_of, list(FIELDS), list(GROUPS))
    for name, bases in found.items():
        check(
            bases == expected[name],
            en=f"{name} is not a subclass of exactly one base class, its own.",
            zh=f"{name} 应当正好是一个基类的子类，也就是自己那一组的基类。",
        )


def test_messages_are_dataclasses(learner, rng):
    """Messages are built by the names of their fields, and equal ones are equal"""
    valid = {
        "uid": rng.randrange(99),
        "data": [],
        "text": f"词元 {rng.random()}",
        "incremental_output": f"词元 {rng.random()}",
        "next_token": rng.randrange(150_000),
        "finished": True,
        "input_ids": torch.randint(0, 150_000, (3,), dtype=torch.int32),
        "sampling_params": params(rng),
    }
    for name, names in FIELDS.items():
        values = {field: valid[field] for field in names}
        assert_same(learner.run(build_by_name, name, values), values)
        assert_same(
            learner.run(compare_messages, name, values),
            [True, False],
            en=f"Objects of {name} do not compare as those of a plain `@dataclass` do: with the same "
            "contents they are equal, with other contents they are not.",
            zh=f"{name} 的对象，比较的结果和普通的 `@dataclass` 不一样：内容相同的应当相等，"
            "内容不同的应当不相等。",
        )


# --- what a decoder must not build ----------------------------------------------------------------


@pytest.mark.parametrize("base", GROUPS)
def test_messages_of_other_groups(learner, rng, base):
    """Every message of another group is refused, and the text names it"""
    for name in FIELDS:
        if name not in GROUPS[base]:
            with learner.raises(*REFUSALS, match=rf"\b{name}\b"):
                learner.run(decode, base, plain(name, rng))


@pytest.mark.parametrize("base", GROUPS)
def test_other_groups_in_a_batch(learner, rng, base):
    """A message of another group is refused inside a batch, too"""
    own = plain(GROUPS[base][-1], rng)
    for name in FIELDS:
        if name not in GROUPS[base]:
            batch = {"__type__": BATCHES[base], "data": [own, plain(name, rng)]}
            with learner.raises(*REFUSALS, match=rf"\b{name}\b"):
                learner.run(decode, base, batch)


@pytest.mark.parametrize("base", GROUPS)
def test_base_is_no_message(learner, rng, base):
    """The name of a base class is refused, also of the group's own, also inside a batch"""
    own = plain(GROUPS[base][-1], rng)
    for name in GROUPS:
        batch = {"__type__": BATCHES[base], "data": [own, {"__type__": name}]}
        for data in ({"__type__": name}, batch):
            with learner.raises(*REFUSALS, match=name):
                learner.run(decode, base, data)


@pytest.mark.parametrize("base", GROUPS)
def test_names_of_other_things(learner, rng, base):
    """A name that stands for something else, or for nothing, is refused"""
    made_up = "Ghost" + "".join(rng.choice("abcdef") for _ in range(6))
    for name in [made_up, "dataclass", "torch", "object", "Any", "deserialize_type", "abortmsg"]:
        with learner.raises(*REFUSALS, match=re.escape(name)):
            learner.run(decode, base, {"__type__": name})
    batch = {
        "__type__": BATCHES[base],
        "data": [plain(GROUPS[base][-1], rng), {"__type__": made_up}],
    }
    with learner.raises(*REFUSALS, match=made_up):
        learner.run(decode, base, batch)


def test_parameters_alone(learner, rng):
    """Sampling parameters that are a field of no message are refused"""
    for base in GROUPS:
        with learner.raises(*REFUSALS):
            learner.run(decode, base, parameters_as_data(rng))


def test_parameters_for_the_api_server(learner, rng):
    """No message to the API server has sampling parameters, so its decoder does not build them"""
    reply = {**plain("UserReply", rng), "incremental_output": parameters_as_data(rng)}
    with learner.raises(*REFUSALS, match="SamplingParams"):
        learner.run(decode, "BaseFrontendMsg", reply)


@pytest.mark.parametrize("base", GROUPS)
def test_no_message_at_all(learner, rng, base):
    """Data that is no message is refused: None, numbers, text, lists, dicts, tensors"""
    message = plain(GROUPS[base][-1], rng)
    tensor = {"__type__": "Tensor", "buffer": bytes(8), "dtype": "torch.int32"}
    untyped = {key: value for key, value in message.items() if key != "__type__"}
    for data in [None, 0, True, 1.5, "AbortMsg", b"", [], [message], {}, untyped, tensor]:
        with learner.raises(*REFUSALS):
            learner.run(decode, base, data)


def test_after_a_refusal(learner, rng):
    """After a refusal the next message is decoded as if nothing had happened"""
    for base, names in GROUPS.items():
        message = plain(names[-1], rng)
        for other in GROUPS:
            if other != base:
                with learner.raises(*REFUSALS):
                    learner.run(decode, other, message)
        assert_same(learner.run(decode, base, message), (names[-1], *list(message.values())[1:]))
