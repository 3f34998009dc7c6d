"""The reference message layer: golden bytes, round trips, and what it refuses, by name."""

from __future__ import annotations

import ast
import collections
import dataclasses
import enum
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from minisgl import message
from minisgl.core import SamplingParams
from minisgl.message import backend, frontend, tokenizer
from minisgl.message.utils import MAX_DEPTH, deserialize_type, serialize_type

REFERENCE = Path(__file__).resolve().parent.parent / "reference"

GOLDEN = bytes.fromhex(
    "82a85f5f747970655f5faf42617463684261636b656e644d7367a4646174619184a85f5f747970655f5fa75573"
    "65724d7367a375696407a9696e7075745f69647383a85f5f747970655f5fa654656e736f72a6627566666572c4"
    "0ceb2500000b00000057070000a56474797065ab746f7263682e696e743332af73616d706c696e675f70617261"
    "6d7386a85f5f747970655f5fae53616d706c696e67506172616d73ab74656d7065726174757265cb3fe3333333"
    "333333a5746f705f6bffa5746f705f70cb3ff0000000000000aa69676e6f72655f656f73c2aa6d61785f746f6b"
    "656e7340"
)

laws = settings(deadline=None, max_examples=150, database=None)

# torch warns once that its half-precision complex numbers are young.
pytestmark = pytest.mark.filterwarnings("ignore:ComplexHalf")


def golden_message() -> message.BatchBackendMsg:
    input_ids = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    params = SamplingParams(temperature=0.6, max_tokens=64)
    return message.BatchBackendMsg([message.UserMsg(7, input_ids, params)])


def pack(obj: Any) -> bytes:
    return msgpack.packb(serialize_type(obj), use_bin_type=True)


def unpack(raw: bytes) -> Any:
    return msgpack.unpackb(raw, raw=False, strict_map_key=False)


def round_trip(obj: Any, *classes: type) -> Any:
    return deserialize_type({cls.__name__: cls for cls in classes}, unpack(pack(obj)))


def same(a: Any, b: Any) -> bool:
    """Equal in type and value all the way down; tensors bit by bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, torch.Tensor):
        return (a.dtype, a.shape) == (b.dtype, b.shape) and bits(a) == bits(b)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same([*map(list, a.items())], [*map(list, b.items())])
    if dataclasses.is_dataclass(a):
        return same(vars(a), vars(b))
    return repr(a) == repr(b)  # NaN is NaN, and -0.0 is not 0.0


def bits(tensor: torch.Tensor) -> list[int]:
    return tensor.clone(memory_format=torch.contiguous_format).view(torch.uint8).tolist()


# --- messages -------------------------------------------------------------------------------------


def test_golden_message_has_exactly_the_golden_bytes():
    assert len(GOLDEN) == 229
    assert msgpack.packb(golden_message().encoder(), use_bin_type=True) == GOLDEN


def test_golden_bytes_are_the_golden_message():
    assert same(message.BaseBackendMsg.decoder(unpack(GOLDEN)), golden_message())


MESSAGES = {
    "BatchTokenizerMsg": (message.BaseTokenizerMsg, ["data"]),
    "TokenizeMsg": (message.BaseTokenizerMsg, ["uid", "text", "sampling_params"]),
    "DetokenizeMsg": (message.BaseTokenizerMsg, ["uid", "next_token", "finished"]),
    "AbortMsg": (message.BaseTokenizerMsg, ["uid"]),
    "BatchBackendMsg": (message.BaseBackendMsg, ["data"]),
    "ExitMsg": (message.BaseBackendMsg, []),
    "UserMsg": (message.BaseBackendMsg, ["uid", "input_ids", "sampling_params"]),
    "AbortBackendMsg": (message.BaseBackendMsg, ["uid"]),
    "BatchFrontendMsg": (message.BaseFrontendMsg, ["data"]),
    "UserReply": (message.BaseFrontendMsg, ["uid", "incremental_output", "finished"]),
}
BASES = (message.BaseTokenizerMsg, message.BaseBackendMsg, message.BaseFrontendMsg)

PARAMS = SamplingParams(0.7, 40, 0.9, True, 5)
CHAT = [{"role": "system", "content": "你好"}, {"role": "user", "content": "hi"}]
EXAMPLES = [
    message.TokenizeMsg(2**63, "plain", PARAMS),
    message.TokenizeMsg(0, CHAT, SamplingParams()),
    message.BatchTokenizerMsg([message.AbortMsg(1), message.DetokenizeMsg(2, 151643, True)]),
    message.BatchTokenizerMsg([]),
    message.ExitMsg(),
    message.BatchBackendMsg([golden_message(), message.ExitMsg(), message.AbortBackendMsg(3)]),
    message.UserMsg(1, torch.empty(0, dtype=torch.int32), PARAMS),
    message.BatchFrontendMsg([message.UserReply(1, "", False), message.UserReply(2, "🙂", True)]),
]


def test_every_message_has_its_base_and_its_fields_in_order():
    assert set(message.__all__) == {*MESSAGES, *(base.__name__ for base in BASES)}
    for name, (base, fields) in MESSAGES.items():
        cls = getattr(message, name)
        assert issubclass(cls, base)
        assert [field.name for field in dataclasses.fields(cls)] == fields
    assert SamplingParams() == SamplingParams(0.0, -1, 1.0, False, 1024)


@pytest.mark.parametrize("msg", EXAMPLES, ids=lambda msg: type(msg).__name__)
def test_message_comes_back_from_its_own_decoder_only(msg):
    own = MESSAGES[type(msg).__name__][0]
    encoded = unpack(msgpack.packb(own.encoder(msg), use_bin_type=True))
    assert same(encoded, msg.encoder())
    assert same(own.decoder(encoded), msg)
    for base in BASES:
        if base is not own:
            with pytest.raises(ValueError, match=type(msg).__name__):
                base.decoder(encoded)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("data", [None, 3, [], {}, [{"__type__": "ExitMsg"}], {"uid": 1}])
def test_decoder_returns_messages_and_nothing_else(base, data):
    with pytest.raises(ValueError, match="no message"):
        base.decoder(data)


@pytest.mark.parametrize("base", BASES)
def test_sampling_params_alone_are_no_message(base):
    with pytest.raises(ValueError, match="SamplingParams"):
        base.decoder(SamplingParams().__dict__ | {"__type__": "SamplingParams"})


@pytest.mark.parametrize(
    ("params", "greedy"),
    [
        (SamplingParams(), True),
        (SamplingParams(temperature=-1.0), True),
        (SamplingParams(temperature=0.6), False),
        (SamplingParams(temperature=0.6, top_k=1), True),
        (SamplingParams(temperature=0.0, top_p=0.9), False),
        (SamplingParams(temperature=0.6, top_k=1, top_p=0.9), False),
    ],
)
def test_is_greedy(params, greedy):
    assert params.is_greedy is greedy


# --- values ---------------------------------------------------------------------------------------

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


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth - 1):
        value = [value]
    return value


endless: list = []
endless.append(endless)


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


@pytest.mark.parametrize("value", [nested(600), nested(5000), endless], ids=["600", "5000", "loop"])
def test_too_deep_is_refused_when_sending(value):
    with pytest.raises(ValueError, match=f"nested more than {MAX_DEPTH} deep"):
        serialize_type(value)


def test_too_deep_is_refused_when_receiving():
    with pytest.raises(ValueError, match=f"nested more than {MAX_DEPTH} deep"):
        deserialize_type({}, unpack(b"\x91" * 600 + b"\xc0"))
    with pytest.raises(ValueError, match=f"nested more than {MAX_DEPTH} deep"):
        deserialize_type({}, nested(MAX_DEPTH + 1))


def test_the_deepest_values_come_back():
    assert same(round_trip(nested(MAX_DEPTH)), nested(MAX_DEPTH))
    escaped: dict = {}
    for _ in range(MAX_DEPTH - 1):
        escaped = {"__type__": escaped}
    assert same(round_trip(escaped), escaped)


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


# --- dataclasses ----------------------------------------------------------------------------------


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


# --- tensors --------------------------------------------------------------------------------------

# All that this torch has, except the quantized ones and those that torch itself cannot copy.
DTYPES = sorted(
    {dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)}
    - {getattr(torch, name) for name in dir(torch) if re.fullmatch(r"qu?int\d+(x\d)?", name)}
    - {getattr(torch, name) for name in dir(torch) if re.fullmatch(r"bits.*|u?int[1-7]", name)},
    key=str,
)


def from_bits(dtype: torch.dtype, raw: bytes) -> torch.Tensor:
    if dtype == torch.bool:
        raw = bytes(byte & 1 for byte in raw)
    whole = len(raw) - len(raw) % dtype.itemsize
    return torch.tensor(list(raw[:whole]), dtype=torch.uint8).view(dtype)


@laws
@given(st.sampled_from(DTYPES), st.binary(max_size=64), st.integers(1, 3))
def test_every_dtype_and_stride_comes_back_bit_by_bit(dtype, raw, step):
    tensor = from_bits(dtype, raw)
    assert same(round_trip(tensor), tensor)
    assert same(round_trip(tensor[::step]), tensor[::step])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_empty_single_and_several(dtype):
    for length in (0, 1, 5):
        tensor = from_bits(dtype, bytes(range(80, 80 + length * dtype.itemsize)))
        assert tensor.shape == (length,)
        assert serialize_type(tensor)["dtype"] == str(dtype)
        assert same(round_trip(tensor), tensor)


matrix = torch.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (matrix.t()[0], [0.0, 3.0]),
        (matrix[:, 1], [1.0, 4.0]),
        (torch.arange(10)[::3], [0, 3, 6, 9]),
        (torch.arange(10)[::20], [0]),
        (torch.arange(10)[4:2], []),
        (torch.tensor([7]).expand(4), [7, 7, 7, 7]),
        (torch.tensor([1.0, 2.0], requires_grad=True), [1.0, 2.0]),
        (torch.nn.Parameter(torch.tensor([3.0])), [3.0]),
        (torch.tensor([1 + 2j]).conj(), [1 - 2j]),
        (torch.tensor([1 + 2j]).conj().imag, [-2.0]),
    ],
)
def test_views_and_gradients_come_back_as_plain_values(tensor, expected):
    back = round_trip(tensor)
    assert type(back) is torch.Tensor
    assert back.dtype == tensor.dtype
    assert back.tolist() == expected
    assert back.is_contiguous() and back.stride() == (1,)
    assert not (back.requires_grad or back.is_conj() or back.is_neg())


@pytest.mark.filterwarnings("error")
def test_a_decoded_tensor_owns_writable_memory():
    encoded = unpack(pack(torch.tensor([1, 2, 3])))
    before = bytes(encoded["buffer"])
    first, second = (deserialize_type({}, encoded) for _ in range(2))
    first += 10
    first.resize_(100)
    assert encoded["buffer"] == before
    assert second.tolist() == [1, 2, 3]


def test_an_encoded_tensor_is_a_copy():
    tensor = torch.tensor([1, 2])
    encoded = serialize_type(tensor)
    tensor += 1
    assert deserialize_type({}, encoded).tolist() == [1, 2]


def encoded_tensor(**changes: Any) -> dict[str, Any]:
    return {"__type__": "Tensor", "buffer": bytes(8), "dtype": "torch.int32"} | changes


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (encoded_tensor(buffer=bytes(6)), "6 bytes.*torch.int32.*4 bytes"),
        (encoded_tensor(buffer=b"x", dtype="torch.bfloat16"), "1 bytes.*2 bytes"),
        (encoded_tensor(buffer="text"), "bytes, not str"),
        (encoded_tensor(buffer=None), "bytes, not NoneType"),
        (encoded_tensor(buffer=[1]), "bytes, not list"),
        (encoded_tensor(dtype="torch.int33"), "'torch.int33' is no dtype"),
        (encoded_tensor(dtype="int32"), "'int32' is no dtype"),
        (encoded_tensor(dtype="torch.load"), "'torch.load' is no dtype"),
        (encoded_tensor(dtype="torch.qint8"), "'torch.qint8' is no dtype"),
        (encoded_tensor(dtype=None), "None is no dtype"),
        (encoded_tensor(dtype=["torch.int32"]), "is no dtype"),
        (encoded_tensor(shape=[2]), "a buffer and a dtype"),
        ({"__type__": "Tensor"}, "a buffer and a dtype"),
    ],
)
def test_a_lying_tensor_is_refused(data, text):
    with pytest.raises(ValueError, match=rf"^message\.input_ids: .*{text}"):
        message.BaseBackendMsg.decoder(
            {"__type__": "UserMsg", "uid": 1, "input_ids": data, "sampling_params": None}
        )


def test_refusals_are_no_asserts():
    """`python -O` strips asserts; the refusals must stay."""
    program = """
import torch
from minisgl.message.utils import deserialize_type, serialize_type
lie = {"__type__": "Tensor", "buffer": bytes(6), "dtype": "torch.int32"}
for call in (
    lambda: serialize_type(torch.tensor(1)),
    lambda: serialize_type(torch.zeros(2, 2)),
    lambda: serialize_type(2**64),
    lambda: deserialize_type({}, lie),
    lambda: deserialize_type({"print": print}, {"__type__": "print"}),
):
    try:
        print("accepted", call())
    except ValueError:
        print("refused")
"""
    command = [sys.executable, "-O", "-c", program]
    done = subprocess.run(command, cwd=REFERENCE, capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.returncode) == (["refused"] * 5, 0), done.stderr


def test_the_layer_stands_alone():
    allowed = {"minisgl", "torch", "numpy", "msgpack", "zmq", *sys.stdlib_module_names}
    for path in (REFERENCE / "minisgl").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            assert not isinstance(node, ast.Assert), f"{path}: an assert checks nothing under -O"
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            assert {name.split(".")[0] for name in names} <= allowed, path
