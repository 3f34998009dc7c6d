"""Sizes, every kind of value, and every way in which two sides can differ."""

import math
from dataclasses import dataclass, make_dataclass

import msgpack
import pytest
import torch

from judge.kit import assert_same, check


@dataclass
class Box:
    value: object


@dataclass
class Line:
    start: object
    end: object


@dataclass
class Point:
    x: int
    y: int


@dataclass
class Nothing:
    pass


CLASSES = [Box, Line, Point, Nothing]


def unpack_all(here, all_data, classes):
    """What becomes of each: "accepted", or "refused" with a ValueError."""
    outcomes = []
    for data in all_data:
        try:
            here.module.unpack(data, classes)
            outcomes.append("accepted")
        except ValueError:
            outcomes.append("refused")
    return outcomes


def pack_a_set(here, classes):
    return here.module.pack(classes[0]({1, 2}), classes)


def cross(sender, receiver, value):
    """`value`, in a `Box`, from one process to the other."""
    back = receiver.unpack(sender.pack(Box(value), CLASSES), CLASSES)
    check(
        type(back) is Box,
        en="What comes back is not an object of the class that was packed.",
        zh="还原出来的对象，不属于打包时的那个类。",
    )
    return back.value


def check_refuses(sender, receiver, message, sent_with, read_with):
    data = sender.pack(message, sent_with)
    with receiver.raises(ValueError, match=r"\w"):
        receiver.unpack(data, read_with)


# --- sizes ----------------------------------------------------------------------------------------


def test_many_small_messages_fit(sender, receiver, rng):
    """A hundred small messages in a batch take at most 13 bytes each"""
    batch_type = make_dataclass("BatchTokenizerMsg", ["data"])
    msg_type = make_dataclass("DetokenizeMsg", ["uid", "next_token", "finished"])
    batch = batch_type([msg_type(i, rng.randrange(65_536), rng.random() < 0.5) for i in range(100)])
    classes = [batch_type, msg_type]
    data = sender.pack(batch, classes)
    assert_same(receiver.unpack(data, classes), batch)
    check(
        len(data) <= 1300,
        en=f"The batch takes {len(data)} bytes. What is repeated in each of its messages?",
        zh=f"这一批用了 {len(data)} 个字节。有什么东西在每条消息里都重复了一遍？",
    )


# --- values ---------------------------------------------------------------------------------------


def test_plain_values_are_exact(sender, receiver):
    """Numbers, text, bytes, truth values and None come back exactly"""
    values = [
        None, True, False, 0, 1, -1, 2**63, 2**64 - 1, -(2**63),
        0.1, -0.0, 1.0, math.inf, math.nan, "", "token 词元", b"", b"\xff\x00",
    ]  # fmt: skip
    assert_same(cross(sender, receiver, values), values)


def test_tuples_become_lists(sender, receiver):
    """A tuple comes back as a list"""
    assert_same(cross(sender, receiver, (1, ("a", [2]))), [1, ["a", [2]]])


def test_dicts_keep_their_keys(sender, receiver):
    """A dict keeps its keys, whether they are text, numbers or None"""
    value = {"role": "user", 1: "a", -7: {"deep": [1, {}]}, None: 0.5, b"k": True}
    assert_same(cross(sender, receiver, value), value)


def test_lists_stay_lists(sender, receiver):
    """No list and no dict is mistaken for an object"""
    look_alikes = [[], [0], [0, 1, 2], [1, [2, 3], [4, 5]], [[0], [1]], {"x": 1}, [-1, []]]
    for value in (Point(1, 2), Box(torch.tensor([1]))):
        look_alikes += plain_parts(sender.pack(value, CLASSES))
    assert_same(
        cross(sender, receiver, look_alikes),
        look_alikes,
        en="A list or a dict that looks like your own format does not come back as it was.",
        zh="有的列表或字典看起来像你的格式写出的内容，结果没能原样回来。",
    )


def plain_parts(data):
    """Lists and dicts that stand in packed bytes, wherever they begin."""
    parts = []
    for start in range(len(data)):
        try:
            part = msgpack.unpackb(data[start:], strict_map_key=False)
        except Exception:
            continue
        if isinstance(part, (list, dict)) and is_plain(part):
            parts.append(part)
    return parts


def is_plain(value):
    if isinstance(value, dict):
        return all(map(is_plain, [*value.keys(), *value.values()]))
    if isinstance(value, list):
        return all(map(is_plain, value))
    return type(value) in (type(None), bool, int, float, str, bytes)


def test_objects_inside_each_other(sender, receiver):
    """Objects stand in lists, in dicts and in each other"""
    value = Line(Point(1, 2), {"ends": [Point(3, 4), Nothing(), Box(Box(None))]})
    assert_same(cross(sender, receiver, value), value)


def test_a_hundred_classes(sender, receiver):
    """Each of a hundred classes is found again, and a tensor is none of them"""
    classes = [make_dataclass(f"Msg{number}", ["value"]) for number in range(100)]
    message = classes[0]([torch.tensor([1, 2]), *(cls(cls.__name__) for cls in classes)])
    assert_same(receiver.unpack(sender.pack(message, classes), classes), message)


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [
        (torch.float64, (2, 3, 4)),
        (torch.bfloat16, (3, 2)),
        (torch.int64, ()),
        (torch.float32, (0, 3)),
        (torch.bool, (1, 5)),
    ],
)
def test_every_kind_of_tensor(sender, receiver, dtype, shape):
    """Tensors of many types and shapes, also without elements or dimensions"""
    tensor = (torch.rand(shape) * 4 - 1).to(dtype)
    assert_same(cross(sender, receiver, tensor), tensor)


def test_views_and_gradients(sender, receiver):
    """Of a view or a tensor with a gradient, the values cross"""
    table = torch.rand(4, 6)
    tensors = [table.t(), table[::2, 1:3], table[0].expand(3, 6), torch.rand(3, requires_grad=True)]
    assert_same(cross(sender, receiver, tensors), [tensor.detach() for tensor in tensors])


def test_refuses_other_types(learner):
    """A value of a type that cannot be packed is refused by name"""
    with learner.raises(TypeError, match="set"):
        learner.run(pack_a_set, CLASSES)


# --- two sides that differ ------------------------------------------------------------------------


def test_refuses_a_renamed_field(sender, receiver):
    """A field with another name is noticed"""
    renamed = make_dataclass("Line", ["start", "stop"])
    check_refuses(sender, receiver, Line(1, 2), [Line], [renamed])


@pytest.mark.parametrize("names", [["start"], ["start", "end", "color"]])
def test_refuses_another_number_of_fields(sender, receiver, names):
    """A field more or less is noticed"""
    check_refuses(sender, receiver, Line(1, 2), [Line], [make_dataclass("Line", names)])


def test_refuses_a_renamed_class(sender, receiver):
    """A class with another name is noticed"""
    check_refuses(sender, receiver, Line(1, 2), [Line], [make_dataclass("Edge", ["start", "end"])])


def test_refuses_another_order_of_classes(sender, receiver):
    """Classes in another order are noticed, also if their fields are alike"""
    start, abort = make_dataclass("StartMsg", ["uid"]), make_dataclass("AbortMsg", ["uid"])
    check_refuses(sender, receiver, abort(7), [start, abort], [abort, start])


def test_refuses_a_changed_class_inside(sender, receiver):
    """A change in the class of an inner object is noticed"""
    changed = make_dataclass("Point", ["x", "z"])
    check_refuses(sender, receiver, Box(Point(1, 2)), [Box, Point], [Box, changed])


def test_refuses_a_changed_class_that_is_not_used(sender, receiver):
    """A change in a class that does not occur in the message is noticed"""
    changed = make_dataclass("Point", ["x", "z"])
    check_refuses(sender, receiver, Box(1), [Box, Point], [Box, changed])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"Msg": ["user", "id"]}, {"Msg": ["use", "rid"]}),
        ({"Msg": ["to", "ken"]}, {"Msgto": ["ken"]}),
        ({"Msg": ["a", "b"], "End": ["c"]}, {"Msg": ["a"], "End": ["b", "c"]}),
        ({"Msg": ["a", "b"], "End": ["c"]}, {"Msg": ["a", "b", "End", "c"]}),
    ],
)
def test_refuses_names_that_are_cut_elsewhere(sender, receiver, ours, theirs):
    """The same letters, cut into other names or classes, are noticed"""
    sent_with = [make_dataclass(name, fields) for name, fields in ours.items()]
    read_with = [make_dataclass(name, fields) for name, fields in theirs.items()]
    check_refuses(sender, receiver, sent_with[0](1, 2), sent_with, read_with)


def test_two_lists_in_one_process(learner):
    """Two lists of classes in one process do not disturb each other"""
    lists = [[Point, Line], [Line, Point], [Nothing, Box, Line, Point], [Point, Line]]
    packed = [learner.pack(Point(1, 2), classes) for classes in lists]
    for data, classes in reversed(list(zip(packed, lists, strict=True))):
        assert_same(learner.unpack(data, classes), Point(1, 2))


def test_refuses_damaged_bytes(learner):
    """Bytes that were cut short or have something behind them are refused"""
    data = learner.pack(Line(Point(1, 2), ["a", torch.tensor([1, 2])]), CLASSES)
    damaged = [*(data[:size] for size in range(len(data))), data + b"\x00", data + data]
    check(
        "accepted" not in learner.run(unpack_all, damaged, CLASSES),
        en="`unpack` makes a message of bytes that were cut short or have something behind them.",
        zh="字节被截短，或者后面多出了内容，`unpack` 仍然还原出了消息。",
    )
    assert_same(learner.run(unpack_all, [data], CLASSES), ["accepted"])
