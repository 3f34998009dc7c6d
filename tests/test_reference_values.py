"""Values in the reference layer: what comes back equal, and what is refused by name and place."""

from __future__ import annotations

import collections
import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from layer_parts import golden_message, laws, pack, round_trip, same, unpack
from minisgl import message
from minisgl.core import SamplingParams
from minisgl.message.utils import MAX_DEPTH, deserialize_type, serialize_type

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ints = st.integers(-(2**63), 2**64 - 1)
keys = st.one_of(texts, ints, st.binary(max_size=4), st.none(), st.just("__type__"))
tensors = st.lists(ints.map(lambda i: i >> 32), max_size=4).map(torch.tensor)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), ints, st.floats(), texts, st.binary(max_size=8), tensors),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=20,
)


@laws
@given(values)
def test_every_value_comes_back_equal(value):
    assert same(round_trip(value), value)
    assert same(deserialize_type({}, serialize_type(value)), value), "msgpack makes no difference"


def test_tuple_comes_back_as_a_list():
    assert same(round_trip([(1, "a"), ()]), [[1, "a"], []])
    assert same(deserialize_type({}, serialize_type((1, (2,)))), [1, [2]])


def test_keys_that_are_no_strings_come_back():
    assert same(round_trip({1: "a", None: 2, b"k": 3, 1.5: 4}), {1: "a", None: 2, b"k": 3, 1.5: 4})


@pytest.mark.parametrize("value", [2**64 - 1, -(2**63), 2**63])
def test_the_largest_integers_are_exact(value):
    assert same(round_trip([value]), [value])


@pytest.mark.parametrize(
    "value",
    [
        {"__type__": "UserMsg", "uid": 1},
        {"__type__": "Tensor", "buffer": b"", "dtype": "torch.int32"},
        {"__type__": "dict", "value": {"a": 1}},
        {"__type__": {"__type__": {"__type__": None}}},
        {"__type__": [{"__type__": "ExitMsg"}], "other": (1,)},
    ],
)
def test_a_users_type_key_never_makes_an_object(value):
    sent = message.BatchBackendMsg([value])
    back = message.BaseBackendMsg.decoder(unpack(pack(sent)))
    assert same(back, message.BatchBackendMsg([round_trip(value)]))
    assert type(back.data[0]) is dict
    assert list(back.data[0]) == list(value)


def test_escaped_dict_has_the_documented_form():
    assert serialize_type({"__type__": 1}) == {"__type__": "dict", "value": {"__type__": 1}}


@pytest.mark.parametrize("value", [None, [], {"a": 1}, {"value": 1}, {"value": [], "more": 1}])
def test_a_wrong_escape_is_refused(value):
    data = {"__type__": "dict"} | (value if isinstance(value, dict) else {"value": value})
    with pytest.raises(ValueError, match="escaped dict"):
        deserialize_type({}, data)


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


Point = collections.namedtuple("Point", "x y")


class Text(str):
    pass


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (Colour.RED, TypeError, "Colour"),
        (Level.LOW, TypeError, "Level"),
        (Point(1, 2), TypeError, "Point"),
        (Text("a"), TypeError, "Text"),
        ({1}, TypeError, "set"),
        (frozenset(), TypeError, "frozenset"),
        (bytearray(b"a"), TypeError, "bytearray"),
        (memoryview(b"a"), TypeError, "memoryview"),
        (range(3), TypeError, "range"),
        (1j, TypeError, "complex"),
        (collections.OrderedDict(a=1), TypeError, "OrderedDict"),
        (collections.defaultdict(int), TypeError, "defaultdict"),
        (np.int64(3), TypeError, "numpy.int64"),
        (np.float64(3), TypeError, "numpy.float64"),
        (np.bool_(True), TypeError, "numpy.bool"),
        (np.arange(3), TypeError, "numpy.ndarray"),
        (message.AbortMsg, TypeError, "type"),
        (print, TypeError, "builtin_function"),
        (object(), TypeError, "object"),
        ({(1, 2): "a"}, TypeError, r"\(1, 2\) cannot be a key"),
        ({Level.LOW: "a"}, TypeError, "cannot be a key"),
        (2**64, ValueError, "64 bits"),
        (-(2**63) - 1, ValueError, "64 bits"),
        (10**6000, ValueError, "64 bits"),
        ({2**64: 1}, ValueError, "64 bits"),
        ("\ud800", ValueError, "surrogates"),
        ({"\ud800": 1}, ValueError, "surrogates"),
        (torch.tensor(1), ValueError, r"1-D.*\[\]"),
        (torch.zeros(2, 3), ValueError, r"1-D.*\[2, 3\]"),
        (torch.zeros(0, 3), ValueError, r"1-D.*\[0, 3\]"),
        (torch.zeros(3).to_sparse(), TypeError, "sparse"),
        (torch.zeros(3, device="meta"), TypeError, "meta"),
        (torch.empty(3, dtype=torch.bits8), TypeError, "torch.bits8"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_refused_by_name_and_place(value, error, text):
    with pytest.raises(error, match=rf"(?s)^UserReply\.incremental_output.*{text}"):
        message.UserReply(1, value, False).encoder()


# --- nesting --------------------------------------------------------------------------------------


@dataclass
class Node:
    value: Any


# Each way to put a value one deeper, and the form in which that crosses.
CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda inner: [inner],
    "tuple": lambda inner: (inner,),
    "dict": lambda inner: {"a": inner},
    "dict with __type__": lambda inner: {"__type__": inner},
    "dataclass": Node,
}
ENCODED = CONTAINERS | {
    "dict with __type__": lambda inner: {"__type__": "dict", "value": {"__type__": inner}},
    "dataclass": lambda inner: {"__type__": "Node", "value": inner},
}
DEPTHS = (MAX_DEPTH + 1, 600, 5000)
TOO_DEEP = f"nested more than {MAX_DEPTH} deep"


def nested(depth: int, put_deeper: Callable[[Any], Any]) -> Any:
    """None at this depth, which is 1 for a value that stands in nothing."""
    value = None
    for _ in range(depth - 1):
        value = put_deeper(value)
    return value


def endless(kind: str) -> Any:
    """A value of this kind that contains itself; a tuple can do so only by way of another value."""
    value: Any
    if kind == "list":
        value = []
        value.append(value)
    elif kind == "dataclass":
        value = Node(None)
        value.value = value
    elif kind == "tuple":
        way = Node(None)
        way.value = value = (way,)
    else:
        value = {}
        value["a" if kind == "dict" else "__type__"] = value
    return value


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("kind", CONTAINERS)
def test_too_deep_is_refused_when_sending(kind, depth):
    with pytest.raises(ValueError, match=TOO_DEEP):
        serialize_type(nested(depth, CONTAINERS[kind]))


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("kind", ENCODED)
def test_too_deep_is_refused_when_receiving(kind, depth):
    with pytest.raises(ValueError, match=TOO_DEEP):
        deserialize_type({"Node": Node}, nested(depth, ENCODED[kind]))


@pytest.mark.parametrize("deeper", [b"\x91", b"\x81\xa1a"], ids=["lists", "dicts"])
def test_bytes_too_deep_are_refused(deeper):
    with pytest.raises(ValueError, match=TOO_DEEP):
        deserialize_type({}, unpack(deeper * 600 + b"\xc0"))


@pytest.mark.parametrize("kind", CONTAINERS)
def test_what_contains_itself_is_refused(kind):
    with pytest.raises(ValueError, match=TOO_DEEP):
        serialize_type(endless(kind))


@pytest.mark.parametrize("kind", CONTAINERS)
def test_the_deepest_values_come_back(kind):
    value = nested(MAX_DEPTH, CONTAINERS[kind])
    want = nested(MAX_DEPTH, CONTAINERS["list"]) if kind == "tuple" else value
    assert same(round_trip(value, Node), want)


# --- places ---------------------------------------------------------------------------------------


def test_the_place_names_fields_keys_and_indices():
    chat = [{"role": "user", "the content": {1: [2**70]}}]
    batch = message.BatchTokenizerMsg([message.TokenizeMsg(1, chat, SamplingParams())])
    with pytest.raises(ValueError) as caught:
        batch.encoder()
    place = "BatchTokenizerMsg.data[0].text[0]['the content'][1][0]"
    assert str(caught.value).startswith(place)
    encoded = golden_message().encoder()
    encoded["data"][0]["input_ids"]["dtype"] = "torch.load"
    with pytest.raises(ValueError, match=r"^message\.data\[0\]\.input_ids: 'torch\.load'"):
        message.BaseBackendMsg.decoder(encoded)
