"""Sizes, every kind of value, and every way in which two sides can differ."""

import itertools
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
    """What becomes of each: "accepted", "refused" with a ValueError, or "something else"."""
    outcomes = []
    for data in all_data:
        try:
            here.module.unpack(data, classes)
            outcomes.append("accepted")
        except ValueError:
            outcomes.append("refused")
        except Exception:
            outcomes.append("something else")
    return outcomes


def unpack_with_all(here, data, lists):
    """For each list of classes, whether `unpack` refuses it with a ValueError."""
    refused = []
    for classes in lists:
        try:
            here.module.unpack(data, classes)
            refused.append(False)
        except ValueError:
            refused.append(True)
    return refused


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
    """A dict keeps its keys, whether they are text, bytes, numbers, truth values or None"""
    value = {"role": "user", 1: "a", -7: {"deep": [1, {}]}, None: 0.5, b"k": True}
    value |= {2.5: {True: "yes", False: "no"}, 2**64 - 1: 0}
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


KINDS = {
    "truth values": ["bool"],
    "whole numbers": ["int8", "int16", "int32", "int64"],
    "unsigned": ["uint8", "uint16", "uint32", "uint64"],
    "floats": ["bfloat16", "float16", "float32", "float64"],
    "floats of one byte": [
        "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
    ],
    "complex numbers": ["complex32", "complex64", "complex128"],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_tensor(sender, receiver, rng, kind):
    """Tensors of every dtype and many shapes, also without elements or dimensions"""
    tensors = []
    for dtype in [getattr(torch, name) for name in KINDS[kind] if hasattr(torch, name)]:
        raw = bytearray(rng.randbytes(24 * dtype.itemsize))
        if dtype is torch.bool:
            raw = bytearray(byte & 1 for byte in raw)
        values = torch.frombuffer(raw, dtype=torch.uint8).view(dtype)
        tensors += [values.reshape(2, 3, 4), values[:1], values[5], torch.empty(0, 3, dtype=dtype)]
    assert_same(cross(sender, receiver, tensors), tensors)


def test_views_and_gradients(sender, receiver):
    """Of a view or a tensor with a gradient, the values cross"""
    table = torch.rand(4, 6)
    tensors = [table.t(), table[::2, 1:3], table[0].expand(3, 6), torch.rand(3, requires_grad=True)]
    assert_same(cross(sender, receiver, tensors), [tensor.detach() for tensor in tensors])


def pack_odd_views(here, table, waves, classes):
    # Cut beside the learner's code: what crosses arrives with plain strides and without marks.
    odd = [table[0, :1:2], table[1:2, 1::2].t(), waves.conj(), waves.conj().imag, waves[0].conj()]
    return here.module.pack(classes[0](odd), classes)


def test_odd_views(sender, receiver, rng):
    """A view of a single row or value, and one that is only marked as conjugated"""
    table = torch.rand(3, 3)
    numbers = [[complex(rng.random(), rng.random()) for _ in range(5)] for _ in range(2)]
    turned = torch.tensor([[number.conjugate() for number in row] for row in numbers])
    data = sender.run(pack_odd_views, table, torch.tensor(numbers), CLASSES)
    expected = [table[0, :1], table[1:2, 1:2], turned, turned.imag, turned[0]]
    assert_same(receiver.unpack(data, CLASSES).value, expected)


def unpack_twice_and_write(here, data, classes):
    """The second object out of the same bytes, after the first one's tensors were written to."""
    first, second = (here.module.unpack(data, classes) for _ in range(2))
    kept = [tensor.clone() for tensor in first.value]
    for tensor in first.value:
        tensor.fill_(1)
    after = [tensor.clone() for tensor in second.value]
    # Python keeps one object for each bytes of length one: whoever borrowed it gets it back whole.
    for tensor, values in zip(first.value, kept, strict=True):
        tensor.copy_(values)
    return after


def test_tensors_have_memory_of_their_own(sender, receiver, rng):
    """Whoever writes to a tensor that has arrived changes nothing else"""
    values = [rng.randint(2, 99) for _ in range(5)]
    tensors = [torch.tensor(values), torch.tensor(values[:1], dtype=torch.uint8)]
    data = sender.pack(Box(tensors), CLASSES)
    assert_same(
        receiver.run(unpack_twice_and_write, data, CLASSES),
        tensors,
        en="Two messages were made of the same bytes. Writing to a tensor of the first changes the "
        "second: each tensor needs memory of its own.",
        zh="同一份字节还原出了两条消息。往第一条的张量里写，第二条也变了：每个张量都要有自己的内存。",
    )


def pack_another_type(here, kind, classes):
    from dataclasses import make_dataclass

    import msgpack

    box, _, point, _ = classes
    values = {
        "set": {1, 2},
        "frozenset": frozenset([1]),
        "bytearray": bytearray(b"abc"),
        "memoryview": memoryview(b"abc"),
        "complex": 2j,
        "range": range(3),
        "Timestamp": msgpack.Timestamp(1),
        "type": point,
        "PointInSpace": make_dataclass("PointInSpace", ["z"], bases=(point,))(1, 2, 3),
    }
    here.module.pack(box([values[kind]]), classes)


@pytest.mark.parametrize(
    "kind",
    ["set", "frozenset", "bytearray", "memoryview", "complex", "range", "Timestamp", "type",
     "PointInSpace"],
)  # fmt: skip
def test_refuses_other_types(learner, kind):
    """A value of a type that cannot be packed is refused by name"""
    with learner.raises(TypeError, match=kind):
        learner.run(pack_another_type, kind, CLASSES)


def pack_an_extension(here, code, body, classes):
    import msgpack

    try:
        return here.module.pack(classes[0](msgpack.ExtType(code, body)), classes)
    except TypeError:
        return None


def test_extensions_are_no_objects(sender, receiver):
    """An extension of msgpack that stands in a message never becomes an object"""
    for code in (0, 2, 127):
        data = sender.run(pack_an_extension, code, b"\x92\x01\x02", CLASSES)
        # Refused, or sent as the tuple from which its type derives: both are right.
        check(
            data is None or receiver.unpack(data, CLASSES).value == [code, b"\x92\x01\x02"],
            en="An extension of msgpack, as a value of the message, comes back as something else. "
            "Does `pack` write it as if it were one of your own?",
            zh="消息里的值是一个 msgpack 扩展，回来时却成了别的东西。`pack` 是不是把它当成你自己的"
            "扩展写了进去？",
        )


def pack_with_key(here, kind, classes):
    keys = {"tuple": (1, 2), "frozenset": frozenset([1]), "complex": 2j, "type": classes[2]}
    here.module.pack(classes[0]({"a": {keys[kind]: 3}}), classes)


@pytest.mark.parametrize("kind", ["tuple", "frozenset", "complex", "type"])
def test_refuses_other_keys(learner, kind):
    """A key of a dict of another type is refused by name when it is packed"""
    with learner.raises(TypeError, match=kind):
        learner.run(pack_with_key, kind, CLASSES)


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


def check_all_refused(sender, receiver, message, sent_with, lists):
    check(
        all(receiver.run(unpack_with_all, sender.pack(message, sent_with), lists)),
        en="`unpack` accepts a list of classes that is not the sender's.",
        zh="类列表与发送方的不同，`unpack` 却接受了。",
    )


def test_refuses_another_order_of_classes(sender, receiver):
    """Classes in another order are noticed, also if their fields are alike"""
    start, abort = make_dataclass("StartMsg", ["uid"]), make_dataclass("AbortMsg", ["uid"])
    check_refuses(sender, receiver, abort(7), [start, abort], [abort, start])


def test_refuses_a_changed_class_inside(sender, receiver):
    """A change in the class of an inner object is noticed"""
    changed = make_dataclass("Point", ["x", "z"])
    check_refuses(sender, receiver, Box(Point(1, 2)), [Box, Point], [Box, changed])


def test_refuses_a_changed_class_that_is_not_used(sender, receiver):
    """A change in a class that does not occur in the message is noticed, wherever it stands"""
    ours = [Box, *(make_dataclass(f"Msg{number}", ["x", "y"]) for number in range(6))]
    lists = []
    for at in range(1, 7):
        changed = make_dataclass(f"Msg{at - 1}", ["x", "z"])
        lists.append([*ours[:at], changed, *ours[at + 1 :]])
    check_all_refused(sender, receiver, Box(1), ours, lists)


def test_refuses_another_number_of_classes(sender, receiver):
    """A class more or less is noticed, also if no object in the message belongs to it"""
    ours = [Box, Nothing, Point]
    lists = [ours[:1], ours[:2], [*ours, Line], [*ours, Nothing], [*ours, Point, Line]]
    check_all_refused(sender, receiver, Box(1), ours, lists)


def test_hardly_any_difference_is_overlooked(sender, receiver):
    """More than a thousand lists of other classes are all noticed"""
    classes = [make_dataclass(f"Msg{number}", [f"value{number}"]) for number in range(12)]
    ours, *others = itertools.permutations(classes, 3)
    data = sender.pack(ours[0](1), list(ours))
    refused = receiver.run(unpack_with_permutations, data, classes)
    check(
        sum(refused) == len(others),
        en="Of more than a thousand lists of classes that all differ from the sender's, `unpack` "
        "accepts some. How many values can the thing have that you compare?",
        zh="有一千多个类列表，都和发送方的不同，`unpack` 却接受了其中几个。"
        "你用来比较的东西，一共能有多少种值？",
    )


def unpack_with_permutations(here, data, classes):
    """Whether each list of three of the classes is refused, but for the first list."""
    import itertools

    refused = []
    for three in itertools.islice(itertools.permutations(classes, 3), 1, None):
        try:
            here.module.unpack(data, list(three))
            refused.append(False)
        except ValueError:
            refused.append(True)
    return refused


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


def unpack_with_other_details(here, data, detail, module):
    """What `unpack` makes of a Point, with a class that has the same names and something else."""
    from dataclasses import field, make_dataclass

    fields = {
        "types": [("x", str), ("y", "list[int]")],
        "defaults": [("x", "typing.Any", 5), ("y", "typing.Any", field(default_factory=list))],
        "the module": ["x", "y"],
    }
    point = make_dataclass("Point", fields[detail])
    point.__module__ = "somewhere.else" if detail == "the module" else module
    try:
        message = here.module.unpack(data, [point])
    except ValueError:
        return None
    return [type(message) is point, message.x, message.y]


@pytest.mark.parametrize("detail", ["types", "defaults", "the module"])
def test_other_details_are_no_difference(sender, receiver, rng, detail):
    """Classes with the same names are accepted, whatever the types, the defaults and the module"""
    x, y = rng.randrange(1000), rng.randrange(1000)
    data = sender.pack(Point(x, y), [Point])
    back = receiver.run(unpack_with_other_details, data, detail, Point.__module__)
    check(
        back is not None,
        en="`unpack` refuses classes whose names and fields are the sender's. What goes into the "
        "comparison besides the names?",
        zh="类名和字段都与发送方相同，`unpack` 却拒绝了。除了名字，你还比较了什么？",
    )
    assert_same(back, [True, x, y])


def unpack_in_another_process(here, data, classes):
    """What `unpack` makes of `data` where texts have the hashes of a Python that was started anew."""

    def started_anew(value):
        # Numbers keep their hash there, and what consists of numbers.
        if isinstance(value, (str, bytes, type)):
            return hash(("another start", value))
        if isinstance(value, (tuple, frozenset)):
            kind = tuple if isinstance(value, tuple) else frozenset
            return hash(kind(map(started_anew, value)))
        return hash(value)

    names = vars(here.module)
    own = "hash" in names
    if not own:
        names["hash"] = started_anew
    try:
        return here.module.unpack(data, classes)
    except ValueError:
        return None
    finally:
        if not own:
            del names["hash"]


def test_the_same_in_every_process(sender, receiver, rng):
    """What is compared is the same in a Python that was started anew"""
    # A class of no other test: so nothing that was computed before helps.
    started = make_dataclass("Started", ["value", "again"])
    message = started(rng.randrange(1000), "again")
    data = sender.pack(message, [started, Box])
    back = receiver.run(unpack_in_another_process, data, [started, Box])
    check(
        back is not None,
        en="`unpack` refuses the sender's own classes. Is what you compare the same in a Python that "
        "was started anew?",
        zh="类就是发送方的那些，`unpack` 却拒绝了。换一个重新启动的 Python，你用来比较的东西还一样吗？",
    )
    assert_same(back, message)


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
    outcomes = learner.run(unpack_all, damaged, CLASSES)
    check(
        "accepted" not in outcomes,
        en="`unpack` makes a message of bytes that were cut short or have something behind them.",
        zh="字节被截短，或者后面多出了内容，`unpack` 仍然还原出了消息。",
    )
    check(
        "something else" not in outcomes,
        en="For damaged bytes `unpack` raises something that is no ValueError. Which exceptions come "
        "from the library that you call?",
        zh="字节损坏时，`unpack` 抛出的异常不是 ValueError。你调用的库会抛出哪些异常？",
    )
    assert_same(learner.run(unpack_all, [data], CLASSES), ["accepted"])
