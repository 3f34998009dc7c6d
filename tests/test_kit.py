"""Exact comparison and readable values."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from judge.kit import Failure, assert_same, check, is_same, show
from judge.wire import Record

NAN = float("nan")


@dataclasses.dataclass
class Point:
    x: object
    y: object


class Equal:
    def __eq__(self, other):
        return True

    __hash__ = None


SAME = [
    (1, 1),
    (NAN, NAN),
    ([1, (2, {"a": b"x"})], [1, (2, {"a": b"x"})]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (torch.tensor([1.0, NAN]), torch.tensor([1.0, NAN])),
    (torch.tensor([complex(NAN, 1)]), torch.tensor([complex(NAN, 1)])),
    (torch.empty(0, 3), torch.empty(0, 3)),
    (torch.arange(6).reshape(2, 3).t(), torch.arange(6).reshape(2, 3).t().contiguous()),
    (Point(1, [2]), Point(1, [2])),
    (torch.bfloat16, torch.bfloat16),
]
DIFFERENT = [
    (1, 1.0, "type"),
    (True, 1, "type"),
    ([1], (1,), "type"),
    (0.0, -0.0, "value"),
    ("a", "b", "value"),
    ([1, 2], [1], "length"),
    ({"a": 1}, {"a": 1, "b": 2}, "lacks"),
    ({"a": 1, "c": 2}, {"a": 1, "b": 2}, "extra key"),
    ({"a": [1, 2]}, {"a": [1, 3]}, r"\['a'\]\[1\]"),
    (torch.ones(2), torch.ones(2, dtype=torch.float64), "dtype"),
    (torch.ones(3), torch.ones(1, 3), "shape"),
    (torch.tensor([0.0]), torch.tensor([-0.0]), "values"),
    (torch.tensor([NAN, 1.0]), torch.tensor([1.0, NAN]), "values"),
    (torch.tensor(1), 1, "type"),
    (Point(1, 2), Point(1, 3), r"\.y"),
    (Record("minisgl.Point", {"x": 1, "y": 2}), Point(1, 2), "minisgl.Point"),
    (Equal(), 5, "type"),
    (None, 0, "None"),
]


@pytest.mark.parametrize(("got", "want"), SAME, ids=repr)
def test_same(got, want):
    assert_same(got, want)
    assert is_same(got, want)


@pytest.mark.parametrize(("got", "want", "word"), DIFFERENT, ids=repr)
def test_different(got, want, word):
    with pytest.raises(Failure, match=word) as failure:
        assert_same(got, want)
    assert failure.value.expected == show(want)
    assert failure.value.text.zh
    assert not is_same(got, want)


def test_the_message_never_holds_the_expected_value():
    for want in (987654321, "secret-word", [1, "secret-word"], {"k": "secret-word"}):
        with pytest.raises(Failure) as failure:
            assert_same("something else", want)
        assert "secret-word" not in failure.value.text.en + failure.value.text.zh
        assert "987654321" not in failure.value.text.en + failure.value.text.zh


def test_own_words_replace_the_general_sentence():
    with pytest.raises(Failure, match="look at the shape") as failure:
        assert_same(1, 2, en="look at the shape", zh="看看形状")
    assert failure.value.text.zh == "看看形状"
    with pytest.raises(Failure, match="no"):
        check(False, en="no", zh="不")
    check(True, en="no", zh="不")


def test_values_are_shown_readably():
    assert (
        show(torch.tensor([[1, 2]], dtype=torch.int32))
        == "tensor([[1, 2]], dtype=int32, shape=[1, 2])"
    )
    assert show(b"\x00\xff") == "<2 bytes: 00 ff>"
    assert show(Point(1, b"a")) == "Point(x=1, y=<1 bytes: 61>)"
    assert (
        show({"t": torch.zeros(1000)}) == "{'t': tensor(1,000 values, dtype=float32, shape=[1000])}"
    )
    assert show("x" * 10_000).endswith("…")
    assert "\n" in show({str(i): "value" * 5 for i in range(10)})


def test_a_diff_where_both_values_take_lines():
    want = {str(i): "value" * 5 for i in range(10)}
    got = {**want, "3": "other"}
    with pytest.raises(Failure) as failure:
        assert_same(got, want)
    assert "-" in failure.value.diff and "other" in failure.value.diff
    with pytest.raises(Failure) as failure:
        assert_same(1, 2)
    assert failure.value.diff is None


def test_where_two_byte_strings_part_is_shown():
    with pytest.raises(Failure) as failure:
        assert_same(bytes(range(50)), bytes(range(20)) + b"\xff" + bytes(range(21, 50)))
    assert "at byte 20" in failure.value.diff
    assert "-10 11 12 13 ff" in failure.value.diff and "+10 11 12 13 14" in failure.value.diff
    with pytest.raises(Failure) as failure:
        assert_same(b"ab", b"abc")
    assert "at byte 2" in failure.value.diff
