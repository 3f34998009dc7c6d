"""The wire: what crosses, exactly; what does not, and why; what hostile bytes cost."""

from __future__ import annotations

import collections
import dataclasses
import enum
import math
import tracemalloc

import msgpack
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from judge import wire
from judge.kit import is_same


@dataclasses.dataclass
class Point:
    x: int
    y: object


def knows_point(module: str, name: str, fields: tuple[str, ...]) -> type | None:
    return Point if name == "Point" else None


def through(value, *, trusted=False, resolve=knows_point):
    frame = wire.Encoder(keep_layout=trusted).encode(value)
    reader = wire.FrameReader()
    reader.feed(frame)
    return wire.Decoder(resolve, trusted=trusted).decode(*reader.next_frame())


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**300), 2**300)
    | st.floats()
    | st.text(st.characters(), max_size=30)
    | st.binary(max_size=200)
)
keys = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.binary(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=5).map(tuple)
        | st.dictionaries(keys, inner, max_size=5)
        | st.builds(Point, st.integers(), inner)
    ),
    max_leaves=30,
)


@given(values)
def test_a_value_comes_back_exactly(value):
    assert is_same(through(value), value)


@pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental")
@pytest.mark.parametrize("name", sorted(wire.DTYPES))
@pytest.mark.parametrize("shape", [(), (0,), (3,), (0, 3), (2, 3), (1, 2, 1, 2)])
def test_every_dtype_and_shape(name, shape):
    dtype = wire.DTYPES[name]
    count = math.prod(shape)
    raw = torch.arange(1, count * dtype.itemsize + 1, dtype=torch.uint8) % 2
    tensor = raw.view(dtype).reshape(shape) if count else torch.empty(shape, dtype=dtype)
    back = through(tensor)
    assert type(back) is torch.Tensor
    assert (back.dtype, back.shape) == (tensor.dtype, tensor.shape)
    assert wire.tensor_bytes(back) == wire.tensor_bytes(tensor)


@pytest.mark.parametrize(
    "tensor",
    [
        torch.arange(6.0).reshape(2, 3).t(),
        torch.arange(8)[::2],
        torch.ones(1, 3).expand(4, 3),
        torch.arange(24).reshape(2, 3, 4).permute(2, 0, 1),
        torch.zeros(7)[::7],
        torch.ones(3, requires_grad=True),
    ],
    ids=["t", "step", "expand", "permute", "one-element-stride", "requires_grad"],
)
def test_the_layout_crosses_towards_the_learner_only(tensor):
    there = through(tensor, trusted=True)
    assert torch.equal(there, tensor)
    assert there.is_contiguous() == tensor.is_contiguous()
    assert there.requires_grad == tensor.requires_grad
    back = through(tensor)
    assert torch.equal(back, tensor.detach())
    assert back.is_contiguous() and not back.requires_grad


def test_conjugated_and_negated_views_cross_by_value():
    tensor = torch.tensor([1 + 2j, 3 - 4j])
    assert torch.equal(through(tensor.conj()), tensor.conj().resolve_conj())
    assert torch.equal(through(tensor.conj().imag), tensor.conj().imag.resolve_neg())


class Number(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


class Colour(enum.Enum):
    RED = 1


class Derived(Point):
    """Not itself a dataclass, so not data."""


class Wrapped(torch.Tensor):
    pass


Pair = collections.namedtuple("Pair", "a b")


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (Number(1.0), "Number"),
        (Colour.RED, "Colour"),
        (Derived(1, 2), "Derived"),
        (torch.ones(2).as_subclass(Wrapped), "Wrapped"),
        (torch.nn.Parameter(torch.ones(2)), "Parameter"),
        (Pair(1, 2), "Pair"),
        ({1, 2}, "set"),
        (bytearray(b"x"), "bytearray"),
        (collections.OrderedDict(a=1), "OrderedDict"),
        (object(), "object"),
        (lambda: 1, "function"),
        (torch.ones(2).numpy(), "ndarray"),
        (1 << 10_000, "bits"),
        (torch.ones(2, device="meta"), "meta"),
        (torch.eye(2).to_sparse(), "sparse"),
        (b"x" * (wire.MAX_ATTACHMENTS + 1), "large"),
        (list(range(wire.MAX_NODES + 1)), "many"),
        ({(i, 1): 0 for i in range(wire.MAX_ODD_KEYS + 1)}, "keys"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_other_types_are_refused_by_name_with_their_place(value, word):
    with pytest.raises(wire.NotPlainData, match=word):
        wire.Encoder().encode({"data": [value]})


def test_the_place_of_a_refused_value_is_named():
    with pytest.raises(wire.NotPlainData) as refused:
        wire.Encoder().encode({"data": [1, Point(1, {2})]})
    assert refused.value.where == "['data'][1].y"


def test_deep_and_circular_values_are_refused():
    deep = []
    for _ in range(300):
        deep = [deep]
    with pytest.raises(wire.NotPlainData, match="deeper"):
        wire.Encoder().encode(deep)
    circle = []
    circle.append(circle)
    with pytest.raises(wire.NotPlainData, match="deeper"):
        wire.Encoder().encode(circle)
    wide = [0]
    for _ in range(60):
        wide = [wide, wide]
    with pytest.raises(wire.NotPlainData, match="too many"):
        wire.Encoder().encode(wide)


def test_an_unknown_class_comes_out_as_a_record():
    back = through([Point(1, "a"), Point], resolve=lambda *_: None)
    assert isinstance(back[0], wire.Record) and (back[0].x, back[0].y) == (1, "a")
    assert back[0].type_name.endswith(".Point")
    assert isinstance(back[1], wire.ForeignType)
    with pytest.raises(AttributeError, match="no field 'z'"):
        _ = back[0].z


def test_no_code_of_a_class_runs_when_its_instance_is_decoded():
    ran = []

    @dataclasses.dataclass
    class Loud:
        x: int

        def __post_init__(self):
            ran.append(self.x)

    frame = wire.Encoder().encode(Loud(1))
    ran.clear()
    reader = wire.FrameReader()
    reader.feed(frame)
    value = wire.Decoder(lambda *_: Loud).decode(*reader.next_frame())
    assert value.x == 1
    assert ran == []


def frame_of(structure: object, attachments: bytes = b"") -> tuple[bytes, bytes]:
    return msgpack.packb(structure), attachments


@pytest.mark.parametrize(
    ("structure", "attachments"),
    [
        ([["T", "int32", [2], 0, None], [8]], b"1234567"),
        ([["T", "int32", [3], 0, None], [8]], b"12345678"),
        ([["T", "int32", [-2], 0, None], [8]], b"12345678"),
        ([["T", "int32", [2], 1, None], [8]], b"12345678"),
        ([["T", "int32", [2], -1, None], [8]], b"12345678"),
        ([["T", "object", [2], 0, None], [8]], b"12345678"),
        ([["T", "int32", [1] * 17, 0, None], [4]], b"1234"),
        ([["T", "int32", "2", 0, None], [8]], b"12345678"),
        ([["b", 0], [-1]], b""),
        ([["b", 0], [1.5]], b""),
        ([["s", 0], [1]], b"\xff"),
        ([["i", b"x" * 2000], []], b""),
        ([["i", 5], []], b""),
        ([["d", 1], []], b""),
        ([["d", ["l"], 1], []], b""),
        ([["r", ["c", "m", "Point", "x"], 1, 2], []], b""),
        ([["r", ["c", "m", "Point", "x", "x"], 1, 2], []], b""),
        ([["r"], []], b""),
        ([["c"], []], b""),
        ([["y", "int33"], []], b""),
        ([["y", ["l"]], []], b""),
        ([["q"], []], b""),
        ([[], []], b""),
        ([[1, 2], []], b""),
        ([5], b""),
        (7, b""),
        ({"a": 1}, b""),
    ],
    ids=repr,
)
def test_forged_frames_are_refused(structure, attachments):
    with pytest.raises(wire.WireError):
        wire.Decoder(knows_point).decode(*frame_of(structure, attachments))


def test_a_forged_bool_becomes_a_bool():
    structure = [["T", "bool", [3], 0, None], [3]]
    back = wire.Decoder(knows_point).decode(*frame_of(structure, b"\x00\x02\xff"))
    assert wire.tensor_bytes(back) == b"\x00\x01\x01"


def test_layout_from_an_untrusted_peer_is_ignored():
    structure = [["T", "int8", [2], 0, [[10**12], True]], [2]]
    back = wire.Decoder(knows_point).decode(*frame_of(structure, b"ab"))
    assert back.is_contiguous() and not back.requires_grad


@pytest.mark.parametrize(
    "unit", ["90", "91", "80", "c4", "dc", "dd", "dd0007ffff", "dcffff", "9f", "c0", "db00000001"]
)
def test_a_hostile_structure_stays_cheap(unit):
    structure = bytes.fromhex(unit) * (wire.MAX_STRUCTURE * 2 // len(unit))
    tracemalloc.start()
    try:
        with pytest.raises(wire.WireError):
            wire.Decoder(knows_point).decode(structure, b"")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 * 2**20


def test_a_length_over_the_limit_is_refused_before_its_bytes_come():
    reader = wire.FrameReader()
    reader.feed(wire.HEADER.pack(wire.MAX_STRUCTURE + 1, 0))
    with pytest.raises(wire.WireError):
        reader.next_frame()
    reader = wire.FrameReader()
    reader.feed(wire.HEADER.pack(0, 2**32 - 1))
    with pytest.raises(wire.WireError):
        reader.next_frame()


@given(st.lists(values, min_size=1, max_size=3), st.integers(1, 17))
@settings(max_examples=50)
def test_frames_are_cut_out_of_any_stream(items, step):
    stream = b"".join(wire.Encoder().encode(item) for item in items)
    reader, back = wire.FrameReader(), []
    for start in range(0, len(stream), step):
        reader.feed(stream[start : start + step])
        while (frame := reader.next_frame()) is not None:
            back.append(wire.Decoder(knows_point).decode(*frame))
    assert is_same(back, items)


@given(st.binary(max_size=300), st.binary(max_size=50))
@settings(max_examples=500)
def test_random_bytes_give_a_value_or_a_wire_error(structure, attachments):
    try:
        wire.Decoder(knows_point).decode(structure, attachments)
    except wire.WireError:
        pass
