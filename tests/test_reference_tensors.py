"""Tensors in the reference layer: every dtype bit by bit, memory of their own, no lie believed."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from layer_parts import laws, pack, round_trip, same, unpack
from minisgl import message
from minisgl.message.utils import deserialize_type, serialize_type

# torch warns once that its half-precision complex numbers are young.
pytestmark = pytest.mark.filterwarnings("ignore:ComplexHalf")

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
    before = bytes(bytearray(encoded["buffer"]))  # `bytes` alone would give the very same object
    first, second = (deserialize_type({}, encoded) for _ in range(2))
    first += 10
    assert encoded["buffer"] == before
    assert second.tolist() == [1, 2, 3]
    first.resize_(100)


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
