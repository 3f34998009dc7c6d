"""Everything that reads a learner's bytes, fed 120,000 random and mutated inputs.

No input may crash the reader, hold it for a second, or cost 64 MB: the fuzzing runs in a fork whose
data is limited to that much beyond what it starts with, so that more is a MemoryError and a failure.
Hypothesis picks the seeds; each seed makes a batch, so a failure shrinks to its batch and is replayed.
"""

from __future__ import annotations

import os
import random
import resource
import struct
import time
import traceback
from collections.abc import Callable
from typing import Any

import msgpack
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge import wire
from judge.examiner import problems
from judge.examiner.link import Output
from judge.examiner.replies import Replies
from judge.grade.submission import SourceProblem, decode_source
from judge.sandbox import limits
from judge.wire.structure import parse

BATCH = 400
SEEDS = 100
EXTRA_BYTES = 64 * 2**20
SLOWEST_SECONDS = 1.0
FILE = "exercise.py"

TREES: list[Any] = [
    {"id": 1, "value": {"__type__": "Tensor", "buffer": b"\0" * 80, "dtype": "torch.int32"}},
    {"id": 1, "value": [torch.arange(6).reshape(2, 3), (1, 2.5, None, True), "x" * 2000, 2**80]},
    {"id": 1, "raised": {"type": "ValueError", "bases": ["ValueError"], "text": "no", "frames": [
        [FILE, 3, "f", "return 1"], ["other.py", 1, "g", ""]]}},
    {"id": 1, "raised": {"type": "SyntaxError", "bases": ["SyntaxError"], "text": "", "frames": [],
                         "syntax": [FILE, 2, 5, "x = (", "never closed"]}},
    {"id": 1, "absent": {"name": "f", "why": "missing", "close": ["g"]}},
    {"id": 1, "unsendable": {"where": "[0]", "what": "a set"}},
    [{str(i): i for i in range(40)}, [[[[]]]], torch.tensor(1.5, dtype=torch.bfloat16)],
]  # fmt: skip
FRAMES = [wire.Encoder().encode(tree) for tree in TREES]
TAGS = ["l", "t", "d", "s", "b", "i", "T", "y", "c", "r", "", "zz"]


def mutated(draw: random.Random, data: bytes) -> bytes:
    """A copy with a few bytes changed, removed, doubled or put in."""
    changed = bytearray(data)
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(changed) + 1)
        kind = draw.randrange(5)
        if kind == 0 and at < len(changed):
            changed[at] = draw.randrange(256)
        elif kind == 1:
            del changed[at : at + draw.randint(1, 8)]
        elif kind == 2:
            changed[at:at] = draw.randbytes(draw.randint(1, 8))
        elif kind == 3:
            changed[at:at] = changed[at : at + draw.randint(1, 64)]
        else:
            changed[at : at + 4] = struct.pack(
                draw.choice(["<I", ">I"]), draw.choice([0, 1, 2**31, 2**32 - 1])
            )
    return bytes(changed)


def random_tree(draw: random.Random, depth: int = 0) -> Any:
    """Something of msgpack's shape that no encoder wrote: tags in wrong places, odd counts."""
    if depth > 6 or draw.random() < 0.5:
        return draw.choice(
            [
                None,
                True,
                0,
                -1,
                2**63,
                1.5,
                float("nan"),
                "",
                "id",
                "value",
                b"",
                b"\xff" * 9,
                *TAGS,
            ]
        )
    items = [random_tree(draw, depth + 1) for _ in range(draw.randint(0, 5))]
    return [draw.choice(TAGS), *items] if draw.random() < 0.8 else items


def any_frame(draw: random.Random) -> bytes:
    kind = draw.randrange(4)
    if kind == 0:
        return draw.randbytes(draw.randint(0, 200))
    if kind == 1:
        return mutated(draw, draw.choice(FRAMES))
    structure = msgpack.packb(
        [random_tree(draw), [draw.choice([0, 1, 8, 80]) for _ in range(draw.randint(0, 3))]]
    )
    if kind == 2:
        structure = mutated(draw, structure)
    attachments = draw.randbytes(draw.choice([0, 1, 8, 80, 81]))
    return wire.HEADER.pack(len(structure), len(attachments)) + structure + attachments


def read_frame(data: bytes) -> None:
    """What a link does with the bytes of an examinee."""
    replies = Replies(FILE, [])
    replies.request("call", {})
    reader = wire.FrameReader()
    reader.feed(data)
    try:
        while (frame := reader.next_frame()) is not None:
            replies.value(replies.decode(*frame))
    except (wire.WireError, problems.LearnerProblem) as problem:
        str(problem)


def read_structure(data: bytes) -> None:
    try:
        parse(data)
    except wire.WireError:
        pass


def read_stacks(data: bytes) -> None:
    problems.line_in_stacks(data.decode("utf-8", "replace"), FILE, "a\nb\n")


def read_output(data: bytes) -> None:
    output = Output()
    output.add(data)
    output.take()[0].encode()


def read_source(data: bytes) -> None:
    try:
        decode_source(data)
    except SourceProblem as problem:
        assert problem.text.zh


READERS: dict[str, tuple[Callable[[bytes], None], Callable[[random.Random], bytes]]] = {
    "frame": (read_frame, any_frame),
    "structure": (read_structure, lambda draw: any_frame(draw)[8:]),
    "other": (
        lambda data: [read(data) for read in (read_stacks, read_output, read_source)],
        lambda draw: mutated(draw, b'File "exercise.py", line 12 in f\n' * draw.randint(0, 9)),
    ),
}


def run_batch(name: str, seed: int) -> str | None:
    """Read one batch; what went wrong, or None."""
    read, make = READERS[name]
    draw = random.Random(seed)
    for index in range(BATCH):
        data = make(draw)
        started = time.monotonic()
        try:
            read(data)
        except BaseException:
            return f"input {index}: {data[:200]!r}\n{traceback.format_exc()}"
        if time.monotonic() - started > SLOWEST_SECONDS:
            return f"input {index} took too long: {data[:200]!r}"
    return None


class Reader:
    """A fork with a limit on its data that reads batches on request."""

    def __init__(self) -> None:
        ask, self._ask = os.pipe()
        self._answer, answer = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._ask)  # or the end of requests would never come
            base = limits.in_use(resource.RLIMIT_DATA)
            resource.setrlimit(resource.RLIMIT_DATA, (base + EXTRA_BYTES, base + EXTRA_BYTES))
            while request := os.read(ask, 100):
                name, seed = request.decode().split()
                os.write(answer, (run_batch(name, int(seed)) or "fine").encode()[:4000])
            os._exit(0)
        os.close(ask)
        os.close(answer)

    def batch(self, name: str, seed: int) -> str:
        os.write(self._ask, f"{name} {seed}".encode())
        return os.read(self._answer, 5000).decode() or "the reader died"

    def close(self) -> None:
        os.close(self._ask)
        os.close(self._answer)
        os.waitpid(self._pid, 0)


@pytest.fixture(scope="module")
def reader():
    reader = Reader()
    yield reader
    reader.close()


@pytest.mark.parametrize("name", READERS)
def test_no_input_crashes_holds_or_bloats_a_reader(name, reader):
    @settings(
        max_examples=SEEDS, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.integers(0, 2**32))
    def fuzz(seed):
        assert reader.batch(name, seed) == "fine"

    fuzz()


def test_the_limit_on_data_is_real(reader):
    """The positive control: without it, a reader that takes gigabytes would look fine."""
    pid = os.fork()
    if pid == 0:
        base = limits.in_use(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (base + EXTRA_BYTES, base + EXTRA_BYTES))
        try:
            bytearray(2 * EXTRA_BYTES)
        except MemoryError:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
