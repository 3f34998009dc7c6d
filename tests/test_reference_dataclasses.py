"""Dataclasses in the reference layer: which are built, from what, and that nothing else ever is."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from layer_parts import BASES, MESSAGES, round_trip, unpack
from minisgl import message
from minisgl.core import SamplingParams
from minisgl.message import backend, frontend, tokenizer
from minisgl.message.utils import deserialize_type, serialize_type


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Slotted:
    a: int
    b: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Derived:
    a: int
    double: int = dataclasses.field(init=False, default=0)


def test_a_frozen_dataclass_with_slots_comes_back():
    back = round_trip([Slotted(a=1, b=[Slotted(a=2)])], Slotted)
    assert back == [Slotted(a=1, b=[Slotted(a=2)])]


def test_a_field_that_the_constructor_does_not_take_is_refused():
    with pytest.raises(TypeError, match="Derived: the field double"):
        serialize_type(Derived(1))


@pytest.mark.parametrize("name", ["Tensor", "dict"])
def test_a_dataclass_cannot_take_a_reserved_name(name):
    with pytest.raises(TypeError, match=f"called {name}"):
        serialize_type(dataclasses.make_dataclass(name, ["a"])(1))


def test_missing_fields_take_their_default_or_are_named():
    data = {"__type__": "Slotted", "a": 1}
    assert deserialize_type({"Slotted": Slotted}, data) == Slotted(a=1)
    with pytest.raises(ValueError, match="the field a of Slotted is missing"):
        deserialize_type({"Slotted": Slotted}, {"__type__": "Slotted"})
    with pytest.raises(ValueError, match="SamplingParams has no field 'top_x'"):
        message.BaseBackendMsg.decoder({"__type__": "SamplingParams", "top_x": 1})


@pytest.mark.parametrize("module", [tokenizer, backend, frontend])
def test_no_name_of_a_module_that_is_no_message_becomes_an_object(module):
    base = next(base for base in BASES if base.__module__ == module.__name__)
    own = {name for name, (owner, _) in MESSAGES.items() if owner is base} | {"SamplingParams"}
    for name in {*dir(module), "print", "__import__", "", "Any", "object"} - own:
        with pytest.raises(ValueError, match="no message type known here"):
            base.decoder({"__type__": name})
        with pytest.raises(ValueError, match="no message type known here"):
            deserialize_type(vars(module), {"__type__": name})


@pytest.mark.parametrize(
    "name", ["call", "Plain", "instance", "absent", None, 1, ["call"], b"call"]
)
def test_nothing_but_a_dataclass_is_ever_called(name):
    called = []

    class Plain:
        def __init__(self, **fields: Any) -> None:
            called.append(fields)

    cls_map = {"call": lambda **fields: called.append(fields), "Plain": Plain}
    cls_map |= {"instance": SamplingParams(), None: SamplingParams, 1: SamplingParams}
    with pytest.raises(ValueError, match="no message type known here"):
        deserialize_type(cls_map, {"__type__": name})
    assert called == []


@pytest.mark.parametrize("raw", [b"\xd6\xff\x00\x00\x00\x00", b"\xd4\x05\x00"])
def test_msgpack_extensions_are_no_part_of_a_message(raw):
    with pytest.raises(ValueError, match="is no part of a message"):
        deserialize_type({}, [unpack(raw)])
    with pytest.raises(ValueError, match="cannot be a key"):
        deserialize_type({}, {unpack(raw): 1})
