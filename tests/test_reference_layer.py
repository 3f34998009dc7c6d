"""The reference messages: golden bytes, groups and decoders; and that the layer stands alone."""

from __future__ import annotations

import ast
import dataclasses
import subprocess
import sys

import msgpack
import pytest
import torch
from layer_parts import BASES, GOLDEN, MESSAGES, REFERENCE, golden_message, same, unpack
from minisgl import message
from minisgl.core import SamplingParams


def test_golden_message_has_exactly_the_golden_bytes():
    assert len(GOLDEN) == 229
    assert msgpack.packb(golden_message().encoder(), use_bin_type=True) == GOLDEN


def test_golden_bytes_are_the_golden_message():
    assert same(message.BaseBackendMsg.decoder(unpack(GOLDEN)), golden_message())


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


def test_a_single_number_crosses_without_asserts():
    """The solutions that send 0-d tensors check by `if`, so `python -O` changes nothing."""
    program = """
import runpy, sys, torch
number = torch.tensor(5, dtype=torch.bfloat16)
names = runpy.run_path(sys.argv[1] + "/nd-tensor.py")
five = torch.tensor(5)
back = [names["deserialize_type"]({}, names["serialize_type"](five))]
lie = names["serialize_type"](five) | {"shape": [2]}
names = runpy.run_path(sys.argv[1] + "/compact-format.py")
back += [names["unpack"](names["pack"](each, []), []) for each in (five, number)]
print([(each.dtype, each.shape, each.item()) for each in back])
try:
    runpy.run_path(sys.argv[1] + "/nd-tensor.py")["deserialize_type"]({}, lie)
except ValueError:
    print("refused")
"""
    command = [sys.executable, "-O", "-c", program, str(REFERENCE / "solutions" / "ch12")]
    done = subprocess.run(command, cwd=REFERENCE, capture_output=True, text=True, timeout=60)
    five = "(torch.int64, torch.Size([]), 5)"
    assert done.stdout.splitlines() == [
        f"[{five}, {five}, (torch.bfloat16, torch.Size([]), 5.0)]",
        "refused",
    ], done.stderr


def test_the_layer_stands_alone():
    allowed = {"minisgl", "torch", "numpy", "msgpack", "zmq", *sys.stdlib_module_names}
    for path in (REFERENCE / "minisgl").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            assert not isinstance(node, ast.Assert), f"{path}: an assert checks nothing under -O"
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            assert {name.split(".")[0] for name in names} <= allowed, path
