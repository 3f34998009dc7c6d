"""What the tests of an exercise import: exact comparison, and failures with words for the learner.

A failure raised here carries two kinds of text. The message may be read by every learner, also for a
hidden test, so it never holds an expected value; `expected` and `actual` stand beside it and are shown
for example tests only. Works wherever tests run and must not import anything that starts a process.
"""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import pprint
from collections.abc import Iterable
from typing import Any

import torch

from judge.texts import Text
from judge.wire import Record, field_names, is_record_type, tensor_bytes, type_name

MAX_SHOWN = 2000
# Each takes two characters at least, so what comes after these many is cut off.
MAX_VALUES = 1000


class Failure(AssertionError):
    """A test's finding about the learner's code.

    `text` is what every learner may read; `expected` and `actual` are readable values, or None. `sealed`
    takes the text's place in a hidden test, where the text holds words of the learner's own code: those
    could be the test's inputs.
    """

    def __init__(
        self,
        text: Text,
        *,
        expected: str | None = None,
        actual: str | None = None,
        diff: str | None = None,
        sealed: Text | None = None,
    ) -> None:
        super().__init__(text.en)
        self.text, self.expected, self.actual, self.diff = text, expected, actual, diff
        self.sealed = sealed


class BrokenTest(Exception):
    """The test itself is wrong: for its author, whatever the learner wrote."""


def check(condition: object, *, en: str, zh: str) -> None:
    """Fail with a sentence for the learner unless `condition` is true.

    The sentence is shown for hidden tests too: say what is wrong, never the value that was expected.
    """
    if not condition:
        raise Failure(Text(en, zh))


def assert_same(got: Any, expected: Any, *, en: str | None = None, zh: str | None = None) -> None:
    """Fail unless `got` is exactly `expected`; say where the two part.

    Exact means: the same types (`1` is not `1.0`, a tuple is not a list), for tensors the same dtype,
    shape and values, for dataclasses the same class and fields; NaN equals NaN in the same place, and
    `-0.0` is not `0.0`. Dicts compare without regard to the order of their keys. `en` and `zh` replace
    the general sentence where a test knows better what went wrong.
    """
    if (en is None) != (zh is None):
        raise BrokenTest("assert_same needs its sentence in both languages: en= and zh=")
    found = _difference(got, expected, "")
    if found is None:
        return
    text = Text(en, zh) if en is not None and zh is not None else found
    raise Failure(
        text, expected=show(expected), actual=show(got), diff=_visible_difference(got, expected)
    )


def _visible_difference(got: Any, want: Any) -> str | None:
    """Where a reader would have to search: two byte strings, or values of several lines."""
    if type(got) is bytes and type(want) is bytes:
        pairs = enumerate(zip(got, want, strict=False))
        at = next((i for i, (g, w) in pairs if g != w), min(len(got), len(want)))
        around = slice(max(0, at - 4), at + 12)
        return (
            f"The first difference is at byte {at}:\n"
            f"-{want[around].hex(' ')}\n+{got[around].hex(' ')}"
        )
    lines_wanted, lines_got = show(want).splitlines(), show(got).splitlines()
    if min(len(lines_wanted), len(lines_got)) < 3:
        return None
    lines = difflib.unified_diff(lines_wanted, lines_got, "expected", "actual", lineterm="", n=2)
    return "\n".join(lines) or None


def is_same(got: Any, expected: Any) -> bool:
    """Whether `assert_same` would pass."""
    return _difference(got, expected, "") is None


def _difference(got: Any, want: Any, where: str) -> Text | None:
    at = Text(f"`{where}`", f"`{where}` ") if where else Text("The result", "结果")
    if isinstance(got, Record) or type(got) is not type(want):
        return Text(
            f"{at.en} has the wrong type; it is {_kind(got)}.",
            f"{at.zh}的类型不对，实际是 {_kind(got)}。",
        )
    if isinstance(want, torch.Tensor):
        return _tensor_difference(got, want, at)
    if isinstance(want, float):
        if got.hex() == want.hex():
            return None
    elif isinstance(want, (list, tuple)):
        if len(got) != len(want):
            return Text(
                f"{at.en} has the wrong length; it has {len(got)}.",
                f"{at.zh}的长度不对，实际为 {len(got)}。",
            )
        pairs = enumerate(zip(got, want, strict=True))
        parts = (_difference(g, w, f"{where}[{i}]") for i, (g, w) in pairs)
        return next((p for p in parts if p is not None), None)
    elif isinstance(want, dict):
        return _dict_difference(got, want, where, at)
    elif is_record_type(type(want)):
        names = field_names(type(want))
        parts = (_difference(getattr(got, n), getattr(want, n), f"{where}.{n}") for n in names)
        return next((p for p in parts if p is not None), None)
    elif got == want:
        return None
    return Text(f"{at.en} has the wrong value.", f"{at.zh}的值不对。")


def _tensor_difference(got: torch.Tensor, want: torch.Tensor, at: Text) -> Text | None:
    if got.dtype != want.dtype:
        return Text(
            f"{at.en} has the wrong dtype; it is {got.dtype}.",
            f"{at.zh}的 dtype 不对，实际是 {got.dtype}。",
        )
    if got.shape != want.shape:
        shape = list(got.shape)
        return Text(
            f"{at.en} has the wrong shape; it is {shape}.", f"{at.zh}的形状不对，实际是 {shape}。"
        )
    if tensor_bytes(got) == tensor_bytes(want) or _equal_with_nan(got, want):
        return None
    return Text(
        f"{at.en} has the right dtype and shape, but wrong values.",
        f"{at.zh}的 dtype 和形状都对，但数值不对。",
    )


def _equal_with_nan(got: torch.Tensor, want: torch.Tensor) -> bool:
    """Equal values where a NaN may have another bit pattern; exact bytes were compared before."""
    if not (want.dtype.is_floating_point or want.dtype.is_complex) or want.dtype.itemsize < 2:
        return False
    if want.dtype.is_complex:
        a, b = (torch.view_as_real(t.resolve_conj().to(torch.complex128)) for t in (got, want))
    else:
        a, b = got.to(torch.float64), want.to(torch.float64)
    same = (a == b) & (torch.signbit(a) == torch.signbit(b)) | (a.isnan() & b.isnan())
    return bool(same.all())


def _dict_difference(got: dict, want: dict, where: str, at: Text) -> Text | None:
    extra = [k for k in got if k not in want]
    if extra:
        return Text(
            f"{at.en} has an extra key: {extra[0]!r}.", f"{at.zh}多了一个键：{extra[0]!r}。"
        )
    if len(got) < len(want):
        return Text(f"{at.en} lacks a key.", f"{at.zh}少了键。")
    parts = (_difference(got[k], want[k], f"{where}[{k!r}]") for k in want)
    return next((p for p in parts if p is not None), None)


def _kind(value: Any) -> str:
    if isinstance(value, Record):
        return value.type_name
    return "None" if value is None else type_name(type(value))


def show(value: Any) -> str:
    """A readable form: tensors with dtype and shape, bytes as hex with their length, dicts on lines."""
    text = pprint.pformat(_Pruned().shown(value), width=88, sort_dicts=False)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + " …"


class _Verbatim:
    """Something whose `repr` is already the text to show."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class _Pruned:
    """Values made ready to show, without what would be cut off anyway: pprint is slow with a lot."""

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def shown(self, value: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            return _Verbatim("…")
        if isinstance(value, torch.Tensor):
            return _shown_tensor(value)
        if isinstance(value, bytes):
            dots = "…" if len(value) > 64 else ""
            return _Verbatim(f"<{len(value)} bytes: {value[:64].hex(' ')}{dots}>")
        if type(value) is str:
            return value[: MAX_SHOWN + 1]
        if isinstance(value, Record):
            return self._fields(value.type_name, value.fields.items())
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = field_names(type(value))
            return self._fields(type(value).__name__, ((n, getattr(value, n)) for n in names))
        if isinstance(value, type):
            return _Verbatim(value.__name__)
        if isinstance(value, dict):
            return {self.shown(k): self.shown(v) for k, v in self._some(value.items())}
        if isinstance(value, (list, tuple)):
            return type(value)(self.shown(v) for v in self._some(value))
        return value

    def _fields(self, name: str, fields: Iterable[tuple[str, Any]]) -> _Verbatim:
        shown = ", ".join(f"{n}={self.shown(v)!r}" for n, v in self._some(fields))
        return _Verbatim(f"{name}({shown})")

    def _some(self, values: Iterable[Any]) -> Iterable[Any]:
        """As many as may still be shown, and one for the dots."""
        return itertools.islice(values, max(0, self._left) + 1)


def _shown_tensor(value: torch.Tensor) -> _Verbatim:
    if value.numel() <= 64:
        values = (
            repr(value.detach().tolist())
            if value.dtype.itemsize > 1 or value.dtype in (torch.bool, torch.uint8, torch.int8)
            else "…"
        )
    else:
        values = f"{value.numel():,} values"
    return _Verbatim(f"tensor({values}, dtype={str(value.dtype)[6:]}, shape={list(value.shape)})")
