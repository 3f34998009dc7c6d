"""Hidden tests: every row of the table with values that vary, and what the statement forbids."""

import math
import re
from dataclasses import dataclass
from typing import Any

import msgpack
import pytest
import torch
from minisgl.core import SamplingParams

from judge.kit import assert_same, check

REFUSALS = (ValueError, TypeError, KeyError)
DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]


@dataclass
class UserMsg:
    uid: int
    input_ids: torch.Tensor
    sampling_params: SamplingParams


@dataclass
class BatchBackendMsg:
    data: list[Any]


@dataclass
class ExitMsg:
    pass


@dataclass
class Parcel:
    weight: Any
    label: Any


@dataclass
class Shelf:
    parcels: Any
    above: Any


@dataclass
class Label:
    text: str


@dataclass
class Sticker:
    text: str


CLASSES = {"Parcel": Parcel, "Shelf": Shelf, "Label": Label}


def pack(encoded):
    try:
        return msgpack.packb(encoded, use_bin_type=True)
    except Exception as error:
        check(
            False,
            en=f"msgpack cannot pack the result of serialize_type: {error}. Something in it is "
            "neither a primitive nor a list nor a dict.",
            zh=f"msgpack 无法打包 serialize_type 的结果：{error}。里面还有既不是基本类型、"
            "也不是列表或字典的东西。",
        )


def send(sender, receiver, value, cls_map=CLASSES):
    """The value after its way from one process to another."""
    raw = pack(sender.serialize_type(value))
    return receiver.deserialize_type(cls_map, msgpack.unpackb(raw, raw=False, strict_map_key=False))


def word(rng):
    return "".join(rng.choice("abcdefghij") for _ in range(8))


# --- primitives -------------------------------------------------------------------------------


def test_bools_and_ints(sender, receiver, rng):
    """True stays True and 1 stays 1, alone and in fields; integers up to 64 bits are exact"""
    numbers = [True, 1, False, 0, -1, 2**63, -(2**63), rng.randrange(2**40, 2**62)]
    assert_same(send(sender, receiver, numbers), numbers)
    parcel = Parcel(weight=False, label=0)
    assert_same(send(sender, receiver, parcel), parcel)


def test_floats_are_exact(sender, receiver, rng):
    """Floats come back to the last bit, also infinity, NaN and -0.0"""
    numbers = [rng.uniform(-1, 1), rng.random() * 1e300, 5e-324, 0.1, 3.0, -0.0, math.inf, math.nan]
    assert_same(send(sender, receiver, numbers), numbers)


def test_text_of_every_language(sender, receiver, rng):
    """Text comes back whole: Chinese, emoji, line ends, the empty text"""
    texts = ["", "你好，世界", "naïve\r\n\t", "🚀" * rng.randint(1, 5), "\x00", word(rng)]
    assert_same(send(sender, receiver, texts), texts)
    parcel = Parcel(weight=texts[1], label=texts[3])
    assert_same(send(sender, receiver, parcel), parcel)


def test_bytes_stay_bytes(sender, receiver, rng):
    """Bytes stay bytes, whatever they hold, alone and in fields"""
    raw = bytes(range(256)) + rng.randbytes(16)
    for value in [raw, b"", [raw], Parcel(weight=raw, label=b"")]:
        assert_same(send(sender, receiver, value), value)


def test_none_in_a_field(sender, receiver):
    """None comes back as None: alone, in a list, in a field"""
    for value in [None, [None, None], Parcel(weight=None, label=None)]:
        assert_same(send(sender, receiver, value), value)


# --- lists, dicts, dataclasses ----------------------------------------------------------------


def test_lists_of_objects(sender, receiver, rng):
    """Objects in a list come back as objects"""
    parcels = [Parcel(rng.randint(1, 99), word(rng)) for _ in range(rng.randint(2, 5))]
    assert_same(send(sender, receiver, parcels), parcels)
    shelf = Shelf(parcels=[parcels, []], above=None)
    assert_same(send(sender, receiver, shelf), shelf)


def test_dicts_of_objects(sender, receiver, rng):
    """Objects and tensors in a dict come back as what they were"""
    tensor = torch.randint(-(2**31), 2**31 - 1, (rng.randint(2, 6),), dtype=torch.int32)
    value = {word(rng): Parcel(rng.random(), "a"), "ids": tensor, "more": {"label": Label("b")}}
    assert_same(send(sender, receiver, value), value)


def test_objects_in_objects(sender, receiver, rng):
    """Objects in fields of objects come back, each of its own class"""
    shelf = None
    for _ in range(rng.randint(3, 6)):
        parcel = Parcel(weight=rng.random(), label=Label(word(rng)))
        shelf = Shelf(parcels=parcel, above=shelf)
    assert_same(send(sender, receiver, shelf), shelf)


def test_every_object_has_its_type(learner, rng):
    """Every object gets its own `__type__`, at every depth"""
    weight, text = rng.randint(1, 99), word(rng)
    encoded = learner.serialize_type(Shelf([Parcel(weight, Label(text))], above=Label(text)))
    label = {"__type__": "Label", "text": text}
    parcel = {"__type__": "Parcel", "weight": weight, "label": label}
    assert_same(encoded, {"__type__": "Shelf", "parcels": [parcel], "above": label})


def test_tuples_arrive_as_lists(sender, receiver, rng):
    """A tuple arrives as a list, and what is in it as what it was"""
    parcel, number = Parcel(rng.randint(1, 99), "a"), rng.randint(1, 99)
    assert_same(send(sender, receiver, (parcel, (number,))), [parcel, [number]])
    assert_same(send(sender, receiver, Shelf((parcel,), ())), Shelf([parcel], []))


def test_keys_stay(sender, receiver, rng):
    """The keys of a dict stay as they are, also numbers"""
    value = {rng.randint(1, 99): "a", -5: "b", "1": "c", "": {}, "类型": [1], "buffer": "c"}
    assert_same(send(sender, receiver, value), value)


def test_object_without_fields(sender, receiver):
    """An object without fields comes back"""
    assert_same(send(sender, receiver, [ExitMsg()], {"ExitMsg": ExitMsg}), [ExitMsg()])


def send_with_a_note(here, uid):
    from dataclasses import dataclass

    @dataclass
    class Job:
        uid: int

    job = Job(uid)
    job.started_at = 12.5
    return here.module.serialize_type(job)


def test_other_attributes_are_not_sent(learner, rng):
    """An attribute that is no field is not sent"""
    uid = rng.randint(1, 99)
    assert_same(learner.run(send_with_a_note, uid), {"__type__": "Job", "uid": uid})


def send_inherited(here, uid, steps):
    from dataclasses import dataclass

    @dataclass
    class Job:
        uid: int

    @dataclass
    class LongJob(Job):
        steps: int

    return here.module.serialize_type(LongJob(uid, steps))


def test_inherited_fields_are_sent(learner, rng):
    """Fields that a dataclass inherits are sent too"""
    uid, steps = rng.randint(1, 99), rng.randint(1, 99)
    expected = {"__type__": "LongJob", "uid": uid, "steps": steps}
    assert_same(learner.run(send_inherited, uid, steps), expected)


def send_with_slots(here, uid):
    from dataclasses import dataclass

    @dataclass(slots=True)
    class SmallJob:
        uid: int

    return here.module.serialize_type(SmallJob(uid))


def test_class_with_slots(learner, rng):
    """An object of a dataclass with slots is sent like any other"""
    uid = rng.randint(1, 99)
    assert_same(learner.run(send_with_slots, uid), {"__type__": "SmallJob", "uid": uid})


def test_keys_in_any_order(learner, rng):
    """An object is made of its fields by name, so the keys may come in any order"""
    weight, text = rng.randint(1, 99), word(rng)
    encoded = {"label": {"text": text, "__type__": "Label"}, "weight": weight, "__type__": "Parcel"}
    assert_same(learner.deserialize_type(CLASSES, encoded), Parcel(weight, Label(text)))
    tensor = {"dtype": "torch.int16", "buffer": b"\x01\x00\x02\x00", "__type__": "Tensor"}
    assert_same(learner.deserialize_type({}, tensor), torch.tensor([1, 2], dtype=torch.int16))


def test_cls_map_decides(learner, rng):
    """`cls_map` says which class a name stands for"""
    text = word(rng)
    encoded = {"__type__": "Label", "text": text}
    assert_same(learner.deserialize_type({"Label": Sticker}, encoded), Sticker(text))


def test_bytes_of_any_message(learner, rng):
    """A message gives the same bytes as on every other machine, whatever its values"""
    temperature, uid, top_k = rng.random(), rng.randrange(2**31), rng.randint(1, 50)
    tensor = torch.randint(0, 150_000, (rng.randint(1, 9),), dtype=torch.int32)
    params = SamplingParams(temperature=temperature, top_k=top_k, ignore_eos=True)
    batch = BatchBackendMsg([ExitMsg(), UserMsg(uid, tensor, params)])
    expected = {
        "__type__": "BatchBackendMsg",
        "data": [
            {"__type__": "ExitMsg"},
            {
                "__type__": "UserMsg",
                "uid": uid,
                "input_ids": {
                    "__type__": "Tensor",
                    "buffer": b"".join(i.to_bytes(4, "little") for i in tensor.tolist()),
                    "dtype": "torch.int32",
                },
                "sampling_params": {
                    "__type__": "SamplingParams",
                    "temperature": temperature,
                    "top_k": top_k,
                    "top_p": 1.0,
                    "ignore_eos": True,
                    "max_tokens": 1024,
                },
            },
        ],
    }
    assert_same(
        pack(learner.serialize_type(batch)),
        msgpack.packb(expected, use_bin_type=True),
        en="The bytes of the message differ. Look at the names of the keys and at their order: "
        "`__type__` first, then the fields as they are declared.",
        zh="消息的字节不一样。看看键的名字和顺序：先是 `__type__`，再按声明的顺序放各个字段。",
    )


# --- tensors ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes(sender, receiver, rng, name):
    """Tensors of nine dtypes come back exactly"""
    count, dtype = rng.randint(2, 9), getattr(torch, name)
    tensor = torch.randint(0, 2 if name == "bool" else 100, (count,)).to(dtype)
    if dtype.is_floating_point:
        tensor = torch.cat([torch.randn(count), torch.tensor([math.inf, -0.0])]).to(dtype)
    assert_same(send(sender, receiver, tensor), tensor)


@pytest.mark.parametrize("view", ["every second", "one value repeated", "a column"])
def test_views(sender, receiver, rng, view):
    """Of a view its own values are sent, and nothing else of the memory it looks into"""
    base = torch.randint(-(2**31), 2**31 - 1, (rng.randint(8, 20),), dtype=torch.int32)
    tensor = {
        "every second": base[1::2],
        "one value repeated": base[3:4].expand(5),
        "a column": base[:6].reshape(3, 2)[:, 1],
    }[view]
    check(
        len(sender.serialize_type(tensor)["buffer"]) == 4 * len(tensor),
        en="The buffer of a view does not have four bytes for each of its int32 values. A view "
        "looks into memory that belongs to a larger tensor.",
        zh="int32 视图的缓冲区不是每个元素四个字节。视图背后的内存属于一个更大的张量。",
    )
    assert_same(send(sender, receiver, tensor), tensor)


def send_part(here, base, start, stop):
    # The slice is cut beside the learner's code: a slice that crosses arrives as a whole tensor.
    return here.module.serialize_type(base[start:stop])


def test_part_of_a_tensor(sender, receiver, rng):
    """Of a slice only the values inside it are sent"""
    base = torch.randint(-(2**31), 2**31 - 1, (rng.randint(8, 20),), dtype=torch.int32)
    encoded = sender.run(send_part, base, 2, 6)
    assert_same(receiver.deserialize_type({}, encoded), base[2:6])


@pytest.mark.parametrize("name", ["int32", "float64", "bool"])
def test_empty_tensor(sender, receiver, name):
    """An empty tensor comes back empty, with its dtype"""
    tensor = torch.empty(0, dtype=getattr(torch, name))
    assert_same(send(sender, receiver, tensor), tensor)
    parcel = Parcel(weight=tensor, label="empty")
    assert_same(send(sender, receiver, parcel), parcel)


def decode_and_write(here, data):
    tensor = here.module.deserialize_type({}, data)
    tensor[0] = -1
    tensor.add_(1)
    return tensor, data["buffer"]


def test_decoded_tensor_can_be_written(learner, rng):
    """A decoded tensor can be written to, and the data it was made of does not change"""
    numbers = [rng.randrange(2**31 - 1) for _ in range(rng.randint(2, 6))]
    raw = b"".join(i.to_bytes(4, "little") for i in numbers)
    data = {"__type__": "Tensor", "buffer": raw, "dtype": "torch.int32"}
    tensor, after = learner.run(decode_and_write, data)
    assert_same(tensor, torch.tensor([0, *(i + 1 for i in numbers[1:])], dtype=torch.int32))
    assert_same(
        after,
        raw,
        en="Writing to the decoded tensor changed the bytes that it was made of: both use the same "
        "memory, and Python takes it for granted that bytes never change.",
        zh="往还原出来的张量里写，原来的字节也跟着变了：两者用的是同一块内存，"
        "而 Python 默认字节串永远不变。",
    )


# --- what is refused, what is left alone ------------------------------------------------------


def test_unknown_type_is_refused(learner, rng):
    """A type name that is not in `cls_map` is refused, and the text names it"""
    name = "Ghost" + word(rng)
    for data in [{"__type__": name}, [{"a": {"__type__": name, "text": "b"}}]]:
        with learner.raises(*REFUSALS, match=re.escape(name)):
            learner.deserialize_type(CLASSES, data)


@pytest.mark.parametrize("name", ["SamplingParams", "print", "torch"])
def test_only_names_of_cls_map(learner, name):
    """A name that exists elsewhere, but not in `cls_map`, is refused"""
    with learner.raises(*REFUSALS, match=name):
        learner.deserialize_type(CLASSES, {"__type__": name})


@pytest.mark.parametrize("shape", [(2, 3), (1, 4), (0, 2), (2, 1, 3)], ids=str)
def test_more_dimensions_are_refused(learner, shape):
    """A tensor of two or more dimensions is refused"""
    with learner.raises(*REFUSALS):
        learner.serialize_type([torch.zeros(shape, dtype=torch.int32)])


def test_single_number_is_refused(learner):
    """A tensor without a dimension (0-d) is refused"""
    with learner.raises(*REFUSALS):
        learner.serialize_type([torch.tensor(5, dtype=torch.int32)])


def send_unsupported(here, kind):
    class Cat:
        pass

    values = {
        "set": {1, 2},
        "frozenset": frozenset([1, 2]),
        "range": range(3),
        "bytearray": bytearray(b"ab"),
        "memoryview": memoryview(b"ab"),
        "complex": 1 + 2j,
        "object": Cat(),
        "function": len,
    }
    here.module.serialize_type({"value": values[kind]})


OTHER_TYPES = [
    "set", "frozenset", "range", "bytearray", "memoryview", "complex", "object", "function",
]  # fmt: skip


@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_other_types_are_refused(learner, kind):
    """A set, a bytearray, a plain object and the like are refused where they are met, not by msgpack"""
    with learner.raises(*REFUSALS):
        learner.run(send_unsupported, kind)


def send_class(here, kind):
    from dataclasses import dataclass

    class Cat:
        pass

    @dataclass
    class Exit:
        pass

    @dataclass
    class Job:
        uid: int = 7

    here.module.serialize_type([{"plain": Cat, "no fields": Exit, "defaults": Job}[kind]])


@pytest.mark.parametrize("kind", ["plain", "no fields", "defaults"])
def test_class_is_refused(learner, kind):
    """A class is refused, also a dataclass: only its objects can be sent"""
    with learner.raises(*REFUSALS):
        learner.run(send_class, kind)


def send_twice(here, message):
    first = here.module.serialize_type(message)
    second = here.module.serialize_type(message)
    return first, second, message, sorted(vars(message))


def test_message_is_left_alone(learner, rng):
    """A message can be sent twice: serialize_type changes nothing in it"""
    message = Shelf([Parcel(rng.randint(1, 99), {"a": Label("b")})], above={"c": [1]})
    first, second, after, attributes = learner.run(send_twice, message)
    assert_same(second, first)
    assert_same(after, message)
    check(
        attributes == ["above", "parcels"],
        en="After serialize_type the message has an attribute that it did not have before.",
        zh="调用 serialize_type 之后，消息多出了原来没有的属性。",
    )


def decode_twice(here, cls_map, data):
    first = here.module.deserialize_type(cls_map, data)
    second = here.module.deserialize_type(cls_map, data)
    return first, second, data


def test_data_is_left_alone(learner, rng):
    """The same data can be decoded twice: deserialize_type changes nothing in it"""
    weight = rng.randint(1, 99)
    tensor = {"__type__": "Tensor", "buffer": b"\x01\x02", "dtype": "torch.uint8"}
    label = {"__type__": "Label", "text": "b"}
    data = [{"__type__": "Parcel", "weight": weight, "label": {"a": label, "c": tensor}}]
    parcel = Parcel(weight, {"a": Label("b"), "c": torch.tensor([1, 2], dtype=torch.uint8)})
    first, second, after = learner.run(decode_twice, CLASSES, data)
    assert_same(first, [parcel])
    assert_same(second, [parcel])
    assert_same(after, data)
